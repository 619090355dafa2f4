// What times count from, in the window: ruler, status, tables, inspector, figures and workspaces follow.

#include "app/status_line.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/export/export_dialog.h"
#include "widgets/figure/figure_formats.h"
#include "widgets/text.h"
#include "widgets/timeline/time_base_control.h"

#include <QFile>
#include <QMenu>
#include <QToolButton>

namespace tst_time_base {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

class TstTimeBase : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        m_trace = m_fixture->folder() + u"/a.json.gz"_s;
        QVERIFY(QFile::copy(QString::fromStdString(test::itemSync().string()), m_trace));
        QVERIFY(m_fixture->open(m_trace.toStdString()));
    }
    void cleanup() { m_fixture.reset(); }

    void greyedOnes_sayWhy() {
        QAction& selection = action(TimeBase::SelectionStart);
        m_fixture->window().commands().refresh();
        QVERIFY(!selection.isEnabled());
        QVERIFY(selection.text().contains(u"nothing is selected"_s));
        QVERIFY(action(TimeBase::StepStart).isEnabled());
        QVERIFY(action(TimeBase::WallClock).isEnabled()); // this trace tells its Unix time
        QVERIFY(action(TimeBase::TraceStart).isChecked());
        view().goTo(worst(), Origin::Command);
        m_fixture->window().commands().refresh();
        QVERIFY(selection.isEnabled());
        QVERIFY(!selection.text().contains(u'('));
        // A trace that does not tell its Unix time.
        QVERIFY(m_fixture->open(test::fixture("micro/M1.json")));
        m_fixture->window().commands().refresh();
        QVERIFY(!view().trace()->facts().baseNs);
        QVERIFY(!action(TimeBase::WallClock).isEnabled());
        QVERIFY(action(TimeBase::WallClock).text().contains(u"does not record it"_s));
        QVERIFY(!action(TimeBase::StepStart).isEnabled());
        QCOMPARE(view().axis(), TimeAxis{}); // another file begins as usual
    }

    void selection_countsFromWhatIsSelectedLast() {
        const TimeRange gap = document().gaps->gap(worst()).range;
        view().goTo(worst(), Origin::Command);
        run(TimeBase::SelectionStart);
        QCOMPARE(view().axis().zero, gap.begin);
        QVERIFY(tip(gap.begin).isEmpty() || tip(gap.begin).contains(u"since the selection"_s));
        session().selection().clear(Origin::Command); // the axis stays where it was
        QCOMPARE(view().axis().zero, gap.begin);
        session().selection().set(TimeRange{{5'000'000}, {6'000'000}}, Origin::Command);
        QCOMPARE(view().axis().zero, TimeNs{5'000'000});
        auto* chip = m_fixture->window().findChild<QToolButton*>(u"gapsRange"_s);
        QVERIFY(chip != nullptr);
        QVERIFY2(chip->text().contains(u"0.000–1.000 ms"_s), qPrintable(chip->text()));
    }

    void step_isTheOneInTheMiddle() {
        const auto& steps = document().steps.events;
        QVERIFY(steps.size() > 2);
        run(TimeBase::StepStart);
        for (const std::size_t n : {std::size_t{2}, std::size_t{1}}) {
            const TimeRange step = document().trace().events().range(steps[n]);
            view().fit(step, 0.0);
            QCOMPARE(view().axis().step, n + 1);
            QCOMPARE(view().axis().zero, step.begin);
        }
        QVERIFY(text(axisTitle(view().axis())).contains(u"step 2"_s));
    }

    void wallClock_hasDateAndZone() {
        run(TimeBase::WallClock);
        QVERIFY(view().axis().isWall());
        QCOMPARE(view().axis().unixNs, *view().trace()->facts().baseNs);
        session().selection().set(document().steps.events[1], Origin::Command);
        const QString said = m_fixture->window().timeline().accessibleDescription();
        const TimeNs begin = document().trace().events().range(document().steps.events[1]).begin;
        QVERIFY2(said.contains(text(timeText(begin, view().axis()))), qPrintable(said));
        QVERIFY(text(exactTimeText(begin, view().axis())).contains(u" UTC"_s));
    }

    void cornerMenu_offersThem() {
        QWidget* canvas = m_fixture->window().timeline().viewport();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(20, 8));
        auto* menu = m_fixture->window().findChild<QMenu*>(u"timeBaseMenu"_s);
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().size(), qsizetype(kTimeBases.size()));
        menu->close();
    }

    void workspaceAndFigure_keepIt_data() {
        QTest::addColumn<int>("base");
        for (const TimeBase base : {TimeBase::StepStart, TimeBase::SelectionStart, TimeBase::WallClock})
            QTest::newRow(std::string(timeBaseName(base)).c_str()) << static_cast<int>(base);
    }
    void workspaceAndFigure_keepIt() {
        QFETCH(int, base);
        view().goTo(worst(), Origin::Command);
        run(static_cast<TimeBase>(base));
        const TimeAxis axis = view().axis();
        QCOMPARE(axis.base, static_cast<TimeBase>(base));
        const QString file = m_fixture->folder() + u"/a.lacuna"_s;
        QSignalSpy saved(&m_fixture->window().workspace(), &WorkspaceControl::saved);
        m_fixture->window().workspace().save(file);
        QVERIFY(saved.wait(20'000));
        ExportDialog dialog(view(), Theme::Light, &m_fixture->window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 20'000);
        const QString picture = m_fixture->folder() + u"/a.svg"_s;
        QVERIFY(static_cast<bool>(dialog.writeTo(picture)));
        QVERIFY(test::readFile(picture.toStdString()).find(axisTitle(axis)) != std::string::npos);
        for (const QString& kept : {file, picture}) {
            WindowFixture other;
            QVERIFY(other.open(kept.toStdString()));
            QCOMPARE(other.view().axis(), axis);
        }
    }

    void figureOfTheUsualBase_saysNothingOfIt() {
        ExportDialog dialog(view(), Theme::Light, &m_fixture->window());
        QTRY_VERIFY_WITH_TIMEOUT(dialog.isReady(), 20'000);
        const QString picture = m_fixture->folder() + u"/b.svg"_s;
        QVERIFY(static_cast<bool>(dialog.writeTo(picture)));
        QVERIFY(test::readFile(picture.toStdString()).find(">since trace start<") == std::string::npos);
    }

private:
    AnalysisSession& session() { return m_fixture->session(); }
    const Document& document() { return *session().document(); }
    TimelineViewModel& view() { return m_fixture->view(); }
    GapId worst() { return document().gaps->byRank().front(); }
    QAction& action(TimeBase base) {
        return *m_fixture->window().commands().action(TimeBaseControl::commandOf(base));
    }
    void run(TimeBase base) {
        m_fixture->window().commands().refresh();
        QVERIFY(m_fixture->window().commands().run(TimeBaseControl::commandOf(base)));
    }
    // Of whatever the lanes hold at a time, at their upper edge.
    QString tip(TimeNs time) {
        const QRect lanes = m_fixture->window().timeline().lanesRect();
        return m_fixture->window().timeline().tipAt(
            QPoint(lanes.left() + static_cast<int>(view().viewport().xOf(time)) + 1, lanes.top() + 8));
    }

    std::unique_ptr<WindowFixture> m_fixture;
    QString m_trace;
};

LACUNA_TEST(TstTimeBase, "tst_time_base")

} // namespace tst_time_base

#include "tst_time_base.moc"
