// Lanes in the window: by key, by mouse and by menu, undone, remembered for the project and in the workspace.

#include "core/document/lane_memory.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/text.h"
#include "widgets/timeline/lane_control.h"

#include <QContextMenuEvent>
#include <QFile>
#include <QMenu>

namespace tst_lane_control {

using namespace lacuna;
using namespace lacuna::ui;
using test::WindowFixture;

namespace {

constexpr const char* kStream = "lane/gpu_stream/0/7";

QString copyOfTrace(const QString& folder, const QString& name) {
    const QString path = folder + u'/' + name;
    const auto fixture = test::itemSync();
    return QFile::exists(path) || QFile::copy(QString::fromStdString(fixture.string()), path) ? path
                                                                                              : QString();
}

} // namespace

class TstLaneControl : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        m_trace = copyOfTrace(m_fixture->folder(), u"a.json.gz"_s);
        QVERIFY(m_fixture->open(m_trace.toStdString()));
        QVERIFY(has(kStream));
    }
    void cleanup() { m_fixture.reset(); }

    void pinKey_putsTheLaneOfTheSelectionOnTop() {
        selectOnStream();
        key(Qt::Key_P);
        QCOMPARE(view().layout().rows()[0].key, std::string(kStream));
        QVERIFY(view().layout().rows()[0].pinned);
        QCOMPARE(view().currentRow()->key, std::string(kStream));
        key(Qt::Key_P);
        QVERIFY(!rowOf(kStream).pinned);
        QVERIFY(view().lanePlan().isEmpty());
        key(Qt::Key_Z, Qt::ControlModifier); // and all of it is undone, step by step
        QVERIFY(rowOf(kStream).pinned);
        key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!rowOf(kStream).pinned);
        key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(rowOf(kStream).pinned);
    }

    // Pinned lanes stay where they are while the others scroll under them: drawn, hit and told so.
    void pinnedLanes_stayOnTop() {
        selectOnStream();
        key(Qt::Key_P);
        view().scrollBy(-view().scrollY());
        QCOMPARE(view().coveredPx(), 0); // nothing has scrolled
        QVERIFY(view().maxScrollY() > 60);
        view().scrollBy(60);
        const int pinned = view().layout().pinnedHeight();
        QCOMPARE(view().coveredPx(), pinned);
        QCOMPARE(view().topOf(rowOf(kStream)), rowOf(kStream).y);
        // Each y of the lanes belongs to one row: the pinned ones, then those that have scrolled.
        for (int y = 0; y < view().area().height(); ++y) {
            const TimelineRow* row = view().rowAt(y);
            if (row == nullptr)
                continue;
            QCOMPARE(row->y < pinned, y < pinned);
            QVERIFY(view().topOf(*row) <= y && y < view().topOf(*row) + row->height);
        }
        // Lanes of the frame stand there too, and what is under the pinned ones cannot be hit through them.
        const Frame& frame = view().frame();
        QCOMPARE(frame.lanes[0].y, 0);
        QCOMPARE(frame.scrollPx, 0);
        const auto hit = view().at(QPointF(view().area().width() / 2.0, rowOf(kStream).stripTop + 2));
        if (const auto* event = std::get_if<EventId>(&hit))
            QCOMPARE(laneKey(*view().trace(), view().trace()->laneOf(*event)), std::string(kStream));
        m_fixture->session().selection().clear(Origin::Command); // its arrows cross the pinned rows
        // The picture: the pinned part is that of the content at rest, bar for bar.
        const QImage scrolled = timeline().viewport()->grab().toImage();
        view().scrollBy(-60);
        const QImage rest = timeline().viewport()->grab().toImage();
        const QRect part(Measures::kHeadWidth, Measures::kRulerHeight, view().area().width(), pinned - 2);
        QCOMPARE(scrolled.copy(part), rest.copy(part));
        QVERIFY(scrolled.copy(part.translated(0, pinned)) != rest.copy(part.translated(0, pinned)));
    }

    void pinnedLanes_leaveRoomForWhatIsShown() {
        selectOnStream();
        key(Qt::Key_P);
        view().scrollBy(view().maxScrollY());
        for (const TimelineRow& row : view().layout().rows()) {
            const std::string key = row.key;
            view().revealRow(key);
            QVERIFY2(view().beginsInView(rowOf(key)), key.c_str());
        }
        // More than the view can spare: then all of it scrolls.
        for (const TimelineRow& row :
             std::vector<TimelineRow>(view().layout().rows().begin(), view().layout().rows().end()))
            if (row.kind != RowKind::Note && row.indent == 0 && !row.pinned)
                lanes().togglePin(row.key);
        QVERIFY(view().layout().pinnedHeight() > view().area().height());
        view().scrollBy(view().maxScrollY());
        QVERIFY(view().scrollY() > 0);
        QCOMPARE(view().coveredPx(), 0);
    }

    void starClick_letsGoAndDefaultPinsCanGo() {
        const TimelineRow steps = view().layout().rows()[0];
        QVERIFY(steps.pinned);
        click({12, rowMiddle(steps.key)});
        QVERIFY(!has(steps.key) || !rowOf(steps.key).pinned);
        QVERIFY(view().lanePlan().unpinned.contains(steps.key));
        key(Qt::Key_P); // it is the current row still
        QVERIFY(rowOf(steps.key).pinned);
        QVERIFY(view().lanePlan().isEmpty());
    }

    void hideKey_hidesAndCountsAndShowsAgain() {
        selectOnStream();
        key(Qt::Key_H);
        QVERIFY(!has(kStream));
        QCOMPARE(rowOf("note/hidden").title, std::string("1 lane hidden by you"));
        key(Qt::Key_H, Qt::ShiftModifier);
        QVERIFY(has(kStream));
        key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!has(kStream));
        // By mouse: a click on the row that counts.
        view().scrollBy(10'000);
        click({60, rowMiddle("note/hidden")});
        QVERIFY(has(kStream));
    }

    void walkKeys_chooseARowWithoutAnEvent() {
        QVERIFY(view().currentRow() == nullptr);
        key(Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(view().currentRow()->key, view().layout().rows()[0].key);
        key(Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(view().currentRow()->key, view().layout().rows()[1].key);
        key(Qt::Key_Up, Qt::ControlModifier);
        key(Qt::Key_Up, Qt::ControlModifier); // at the first: stays
        QCOMPARE(view().currentRow()->key, view().layout().rows()[0].key);
        while (view().currentRow()->kind != RowKind::GroupHead)
            key(Qt::Key_Down, Qt::ControlModifier);
        const std::string group = view().currentRow()->key;
        key(Qt::Key_X);
        QVERIFY(rowOf(group).folded);
        key(Qt::Key_X);
        QVERIFY(!rowOf(group).folded);
    }

    void moveKeys_moveAmongSiblings() {
        std::vector<std::string> groups = groupKeys();
        QVERIFY(groups.size() >= 2);
        view().setCurrentRow(groups[0]);
        key(Qt::Key_Down, Qt::AltModifier);
        std::swap(groups[0], groups[1]);
        QCOMPARE(groupKeys(), groups);
        key(Qt::Key_Up, Qt::AltModifier);
        std::swap(groups[0], groups[1]);
        QCOMPARE(groupKeys(), groups);
        key(Qt::Key_Up, Qt::AltModifier); // the first: stays
        QCOMPARE(groupKeys(), groups);
    }

    void headIsDragged() {
        view().foldGroups(true);
        std::vector<std::string> groups = groupKeys();
        const QPoint from(90, rowMiddle(groups[0]));
        const QPoint to(90, rowMiddle(groups[1]) + 6); // below its middle
        drag(from, to);
        std::swap(groups[0], groups[1]);
        QCOMPARE(groupKeys(), groups);
        QVERIFY(rowOf(groups[1]).folded); // a drag is no click
        key(Qt::Key_Z, Qt::ControlModifier);
        std::swap(groups[0], groups[1]);
        QCOMPARE(groupKeys(), groups);
    }

    void escapeDuringADrag_changesNothing() {
        view().foldGroups(true);
        const std::vector<std::string> groups = groupKeys();
        QWidget* canvas = timeline().viewport();
        const QPoint from(90, rowMiddle(groups[0]));
        QTest::mousePress(canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas, from + QPoint(0, 20));
        QTest::mouseMove(canvas, from + QPoint(0, 60));
        key(Qt::Key_Escape);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, from + QPoint(0, 60));
        QCOMPARE(groupKeys(), groups);
        QVERIFY(!m_fixture->session().undoStack().canUndo());
    }

    void edgeOfAHead_pullsTheHeight() {
        const int before = rowOf(kStream).height;
        view().revealRow(kStream);
        const QPoint from(90, rowTop(kStream) + before - 2);
        drag(from, from + QPoint(0, before));
        QCOMPARE(view().lanePlan().percent.at(kStream), 200);
        QVERIFY(rowOf(kStream).stripHeight == 2 * 52);
        QCOMPARE(m_fixture->session().undoStack().count(), 1); // one step for the whole pull
        key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(rowOf(kStream).height, before);
        selectOnStream();
        key(Qt::Key_Plus, Qt::AltModifier);
        QCOMPARE(view().lanePlan().percent.at(kStream), 125);
        key(Qt::Key_Minus, Qt::AltModifier);
        QVERIFY(view().lanePlan().percent.empty());
    }

    void names_ofLanesAndEvents() {
        selectOnStream();
        QString answer = u"decode"_s, asked;
        lanes().setAsk([&](const QString&, const QString&, const QString& value) {
            asked = value;
            return std::optional(answer);
        });
        key(Qt::Key_F2, Qt::ShiftModifier);
        QCOMPARE(asked, u"stream 7"_s);
        QCOMPARE(rowOf(kStream).title, std::string("decode"));
        const EventId event = m_fixture->session().selection().event();
        const QString recorded = text(m_fixture->session().document()->trace().nameOf(event));
        answer = u"my gemm"_s;
        key(Qt::Key_F2, Qt::ControlModifier);
        QCOMPARE(asked, recorded);
        QCOMPARE(view().look().names.at(recorded.toStdString()), std::string("my gemm"));
        key(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(view().look().names.empty());
        answer.clear();
        key(Qt::Key_F2, Qt::ShiftModifier);
        QCOMPARE(rowOf(kStream).title, std::string("stream 7"));
    }

    void filter_leavesMatchingLanes() {
        lanes().setAsk(
            [](const QString&, const QString&, const QString&) { return std::optional(u"stream"_s); });
        key(Qt::Key_L);
        for (const TimelineRow& row : view().layout().rows())
            QVERIFY2(row.kind != RowKind::Lane || row.title.find("stream") != std::string::npos,
                     row.key.c_str());
        QVERIFY(has("note/filter"));
        click({60, rowMiddle("note/filter")});
        QVERIFY(view().lanePlan().isEmpty());
    }

    void colours_changeThePictureAndTheTip() {
        const QImage byKind = timeline().grab().toImage();
        QVERIFY(m_fixture->window().commands().run(u"view.colourByDuration"_s));
        QCOMPARE(view().look().colourBy, ColourBy::Duration);
        QVERIFY(timeline().grab().toImage() != byKind);
        QVERIFY(m_fixture->window().commands().action(u"view.colourByDuration"_s)->isChecked());
        key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(view().look().colourBy, ColourBy::Kind);
    }

    void menu_offersCommandsOnly() {
        selectOnStream();
        QContextMenuEvent event(QContextMenuEvent::Mouse, {60, rowMiddle(kStream)},
                                timeline().viewport()->mapToGlobal(QPoint(60, rowMiddle(kStream))));
        QApplication::sendEvent(timeline().viewport(), &event);
        auto* menu = timeline().findChild<QMenu*>(u"timelineMenu"_s);
        QVERIFY(menu != nullptr);
        QCOMPARE(view().currentRow()->key, std::string(kStream));
        for (QAction* entry : menu->actions())
            QVERIFY(entry->isSeparator() || entry->menu() != nullptr ||
                    m_fixture->window().commands().action(entry->objectName()) == entry);
        QVERIFY(menu->actions().contains(m_fixture->window().commands().action(u"lanes.pin"_s)));
        menu->close();
    }

    // A click on a head chooses its lane: the keys act on it at once, whatever was asked for before.
    void click_choosesTheLaneForKeys() {
        QVERIFY(m_fixture->session().selection().event().v == EventId().v);
        click({100, rowMiddle(kStream)});
        QVERIFY(m_fixture->window().commands().action(u"lanes.pin"_s)->isEnabled());
        QTest::keyClick(&timeline(), Qt::Key_P);
        QCOMPARE(view().layout().rows()[0].key, std::string(kStream));
        click({100, rowMiddle(kStream)});
        QTest::keyClick(&timeline(), Qt::Key_H);
        QVERIFY(!has(kStream));
    }

    // What was arranged holds in the next trace of the folder, and in a window started later.
    void project_isRemembered() {
        selectOnStream();
        key(Qt::Key_P);
        QVERIFY(m_fixture->window().commands().run(u"view.colourByFamily"_s));
        const auto memory = LaneMemory::read(m_fixture->state().lanesFile().toStdString());
        QCOMPARE(memory.projects().size(), std::size_t{1});
        QCOMPARE(memory.projects()[0].lanes.pinned, std::vector<std::string>({"lane/gpu_stream/0/*"}));
        const QString next = copyOfTrace(m_fixture->folder(), u"b.json.gz"_s);
        QVERIFY(m_fixture->open(next.toStdString()));
        QCOMPARE(view().layout().rows()[0].key, std::string(kStream));
        QCOMPARE(view().look().colourBy, ColourBy::Family);
        QVERIFY(!m_fixture->session().undoStack().canUndo()); // it is how the document begins
        // Elsewhere nothing is remembered.
        QVERIFY(m_fixture->open(test::itemSync()));
        QVERIFY(view().lanePlan().isEmpty());
        QCOMPARE(view().look().colourBy, ColourBy::Kind);
    }

    void workspace_keepsLanesNamesAndBookmarks() {
        selectOnStream();
        key(Qt::Key_P);
        lanes().renameEvents(u"aten::mm"_s, u"the product"_s);
        lanes().colourBy(ColourBy::Stream);
        view().storeBookmark(4);
        const LanePlan plan = view().lanePlan();
        const EventLook look = view().look();
        const QString file = m_fixture->folder() + u"/a.lacuna"_s;
        QSignalSpy done(&m_fixture->window().workspace(), &WorkspaceControl::saved);
        m_fixture->window().workspace().save(file);
        QVERIFY(done.wait(20'000));
        WindowFixture other;
        QVERIFY(other.open(file.toStdString()));
        QCOMPARE(other.view().lanePlan(), plan);
        QCOMPARE(other.view().look(), look);
        QCOMPARE(other.view().bookmarks().size(), std::size_t{1});
        QCOMPARE(other.view().bookmarks().at(4).range, view().bookmarks().at(4).range);
    }

private:
    TimelineViewModel& view() { return m_fixture->view(); }
    TimelineView& timeline() { return m_fixture->window().timeline(); }
    LaneControl& lanes() { return *timeline().findChild<LaneControl*>(); }
    void key(Qt::Key k, Qt::KeyboardModifiers modifiers = {}) {
        m_fixture->window().commands().refresh();
        QTest::keyClick(&timeline(), k, modifiers);
    }
    bool has(std::string_view key) {
        const auto rows = view().layout().rows();
        return std::ranges::find(rows, key, &TimelineRow::key) != rows.end();
    }
    const TimelineRow& rowOf(std::string_view key) {
        const auto rows = view().layout().rows();
        const auto at = std::ranges::find(rows, key, &TimelineRow::key);
        if (at == rows.end())
            qFatal("no row %s", std::string(key).c_str());
        return *at;
    }
    std::vector<std::string> groupKeys() {
        std::vector<std::string> keys;
        for (const TimelineRow& row : view().layout().rows())
            if (row.kind == RowKind::GroupHead)
                keys.push_back(row.key);
        return keys;
    }
    // In the viewport of the timeline.
    int rowTop(std::string_view key) { return timeline().lanesRect().top() + view().topOf(rowOf(key)); }
    int rowMiddle(std::string_view key) { return rowTop(key) + rowOf(key).height / 2; }
    void selectOnStream() {
        const Document& document = *m_fixture->session().document();
        view().goTo(document.gaps->gap(document.gaps->byRank().front()).next, Origin::Command);
        QCOMPARE(view().currentRow()->key, std::string(kStream));
    }
    void click(QPoint at) { QTest::mouseClick(timeline().viewport(), Qt::LeftButton, {}, at); }
    void drag(QPoint from, QPoint to) {
        QWidget* canvas = timeline().viewport();
        QTest::mousePress(canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas, (from + to) / 2);
        QTest::mouseMove(canvas, to);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to);
    }

    std::unique_ptr<WindowFixture> m_fixture;
    QString m_trace;
};

LACUNA_TEST(TstLaneControl, "tst_lane_control")

} // namespace tst_lane_control

#include "tst_lane_control.moc"
