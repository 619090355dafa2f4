// Ranges in the window: marked, measured, kept, alike; bookmarks.

#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/text.h"
#include "widgets/timeline/alike_dialog.h"
#include "widgets/timeline/range_control.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QTableView>

namespace tst_range_control {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstRangeControl : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open(test::itemSync()));
    }
    void cleanup() { m_fixture.reset(); }

    void markKey_marksTheTimeOfTheGap() {
        const GapId worst = document().gaps->byRank().front();
        view().goTo(worst, Origin::Command);
        key(Qt::Key_M);
        QCOMPARE(selection().range(), std::optional(document().gaps->gap(worst).range));
        QVERIFY(!selection().gap());
        key(Qt::Key_M, Qt::ShiftModifier); // and keeps it
        const auto notes = m_fixture->session().annotations().callouts();
        QCOMPARE(notes.size(), std::size_t{1});
        QCOMPARE(notes[0].kind, AnnotationKind::Bracket);
        QCOMPARE(notes[0].number, 0); // brackets are not numbered
        QCOMPARE(notes[0].time, document().gaps->gap(worst).range.begin);
        QCOMPARE(*notes[0].end, document().gaps->gap(worst).range.end);
        key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(m_fixture->session().annotations().isEmpty());
    }

    void measure_isFromStartAndFromEnd() {
        const Trace& trace = document().trace();
        const Gap& gap = document().gaps->gap(document().gaps->byRank().front());
        const Measurement m = measured(trace, gap.next, gap.previous); // given the wrong way round
        QCOMPARE(m.first, gap.previous);
        QCOMPARE(m.endToStart, gap.range.length());
        QCOMPARE(m.startToStart,
                 trace.events().range(gap.next).begin - trace.events().range(gap.previous).begin);
        QCOMPARE(m.endToEnd, trace.events().range(gap.next).end - trace.events().range(gap.previous).end);
        QCOMPARE(m.range, gap.range);
        QSignalSpy said(control(), &RangeControl::said);
        view().goTo(gap.previous, Origin::Command);
        key(Qt::Key_R);
        QCOMPARE(said.size(), 1);
        QVERIFY(!selection().range());
        view().goTo(gap.next, Origin::Command);
        key(Qt::Key_R);
        QCOMPARE(selection().range(), std::optional(gap.range));
        QVERIFY(said.back().front().toString().contains(u"end to start 2.395 ms"_s));
    }

    // By mouse: two clicks, the second with Ctrl; the readout is there at once, R marks the time, Esc ends
    // it.
    void ctrlClick_measuresBetweenTwo() {
        const Gap& gap = document().gaps->gap(document().gaps->byRank().front());
        view().fit(gap.range, 0.3);
        QSignalSpy said(control(), &RangeControl::said);
        click(gap.previous);
        QCOMPARE(selection().event(), gap.previous);
        QVERIFY(!view().measurement());
        click(gap.next, Qt::ControlModifier);
        QCOMPARE(selection().events(), (std::vector<EventId>{gap.previous, gap.next}));
        QCOMPARE(selection().event(), gap.next);
        QVERIFY(view().measurement());
        QCOMPARE(view().measurement()->endToStart, gap.range.length());
        QCOMPARE(view().scene().emphasis.outlined, (std::vector{gap.previous, gap.next}));
        QCOMPARE(view().scene().measured, view().measurement());
        QCOMPARE(said.size(), 1);
        QVERIFY(said.back().front().toString().contains(u"end to start 2.395 ms"_s));
        QVERIFY(m_fixture->window().timeline().accessibleDescription().contains(u"end to start 2.395 ms"_s));
        auto* length = m_fixture->window().findChild<QLabel*>(u"measuredLength"_s);
        QVERIFY(length != nullptr);
        QCOMPARE(length->text(), u"2.395 ms"_s);
        QVERIFY(!selection().range());
        key(Qt::Key_R);
        QCOMPARE(selection().range(), std::optional(gap.range));
        QCOMPARE(selection().events().size(), std::size_t{2});
        key(Qt::Key_Escape); // the events and the readout, then the range
        QVERIFY(!view().measurement());
        QVERIFY(selection().events().empty());
        QVERIFY(selection().range());
        key(Qt::Key_Escape);
        QVERIFY(!selection().range());
    }

    void ctrlClick_addsAndTakesAway() {
        const Gap& gap = document().gaps->gap(document().gaps->byRank().front());
        view().fit(gap.range, 0.3);
        click(gap.next, Qt::ControlModifier); // nothing chosen yet: selects
        QCOMPARE(selection().event(), gap.next);
        click(gap.previous, Qt::ControlModifier);
        click(gap.next, Qt::ControlModifier); // again: taken away
        QCOMPARE(selection().events(), std::vector{gap.previous});
        QCOMPARE(selection().event(), gap.previous);
        QVERIFY(!view().measurement());
        // Beside an event nothing changes; without Ctrl the click drops the selection.
        const QPoint beside(view().area().width() - 2, 2);
        QTest::mouseClick(lanes(), Qt::LeftButton, Qt::ControlModifier, beside + origin());
        QCOMPARE(selection().event(), gap.previous);
    }

    void bookmarks_comeBack() {
        view().fit({{5'000'000}, {6'000'000}}, 0.0);
        const TimeRange there = view().viewport().range();
        key(Qt::Key_3, Qt::ControlModifier);
        view().showWhole();
        key(Qt::Key_4); // nothing is there
        QVERIFY(view().viewport().range() != there);
        key(Qt::Key_3);
        QCOMPARE(view().viewport().range().begin, there.begin);
        QVERIFY(std::abs(view().viewport().range().end.v - there.end.v) <= 1);
        key(Qt::Key_Left, Qt::AltModifier); // one step of the history
        QCOMPARE(view().viewport().range().begin, view().extent().begin);
    }

    void alike_isFoundListedAndWalked() {
        // A step of the recorder, marked by hand.
        const TimeRange step = document().trace().events().range(document().steps.events[1]);
        selection().set(step, Origin::Command);
        QSignalSpy found(control(), &RangeControl::alikeFound);
        key(Qt::Key_S, Qt::ShiftModifier);
        QVERIFY(found.wait(20'000));
        const AlikeSpans& alike = control()->alike();
        QVERIFY(alike.spans.size() >= 2);
        QCOMPARE(alike.spans[alike.marked], step);
        auto* dialog = m_fixture->window().findChild<AlikeDialog*>();
        QVERIFY(dialog != nullptr);
        auto* table = dialog->findChild<QTableView*>(u"alikeTable"_s);
        QCOMPARE(table->model()->rowCount(), static_cast<int>(alike.spans.size()));
        const QAbstractItemModelTester tester(table->model());
        table->model()->sort(AlikeModel::Length, Qt::DescendingOrder);
        const auto* model = static_cast<AlikeModel*>(table->model());
        QCOMPARE(model->spanAt(0).length().v, alike.maxNs);
        Q_EMIT table->clicked(model->index(0, 0));
        QCOMPARE(selection().range(), std::optional(model->spanAt(0)));
        selection().set(alike.spans[0], Origin::Command);
        QVERIFY(control()->goToAlike(1));
        QCOMPARE(selection().range(), std::optional(alike.spans[1]));
        QVERIFY(control()->goToAlike(-1));
        QCOMPARE(selection().range(), std::optional(alike.spans[0]));
        QVERIFY(!control()->goToAlike(-1));
    }

    void alikeKey_withoutARange_zoomsAsElsewhere() {
        view().fit({{8'000'000}, {9'000'000}}, 0.0);
        const auto before = view().viewport().range().length();
        key(Qt::Key_S, Qt::ShiftModifier);
        QVERIFY(view().viewport().range().length() > before);
        QVERIFY(m_fixture->window().findChild<AlikeDialog*>() == nullptr);
    }

private:
    const Document& document() { return *m_fixture->session().document(); }
    TimelineViewModel& view() { return m_fixture->view(); }
    SelectionModel& selection() { return m_fixture->session().selection(); }
    RangeControl* control() { return m_fixture->window().timeline().findChild<RangeControl*>(); }
    void key(Qt::Key k, Qt::KeyboardModifiers modifiers = {}) {
        m_fixture->window().commands().refresh();
        QTest::keyClick(&m_fixture->window().timeline(), k, modifiers);
    }
    QWidget* lanes() { return m_fixture->window().timeline().viewport(); }
    QPoint origin() { return m_fixture->window().timeline().lanesRect().topLeft(); }
    void click(EventId event, Qt::KeyboardModifiers modifiers = {}) {
        const Trace& trace = document().trace();
        view().revealLane(trace.laneOf(event));
        const TimelineRow& row = view().layout().rows()[*view().layout().visibleRowOf(trace.laneOf(event))];
        const TimeRange range = trace.events().range(event);
        const double x = (view().viewport().xOf(range.begin) + view().viewport().xOf(range.end)) / 2;
        const int y = view().topOf(row) + row.stripTop + row.stripHeight / 2;
        QTest::mouseClick(lanes(), Qt::LeftButton, modifiers, QPoint(static_cast<int>(x), y) + origin());
    }
    std::unique_ptr<WindowFixture> m_fixture;
};

LACUNA_TEST(TstRangeControl, "tst_range_control")

} // namespace tst_range_control

#include "tst_range_control.moc"
