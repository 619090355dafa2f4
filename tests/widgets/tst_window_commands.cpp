// Every command has its effect, every key reaches its command, every menu entry is a command.

#include "app/status_line.h"
#include "core/cache/index_cache.h"
#include "core/trace/strip_query.h"
#include "core/view/arrows.h"
#include "tests/support/test_main.h"
#include "tests/support/window_fixture.h"
#include "widgets/panels/panel.h"
#include "widgets/tables/report_table_view.h"
#include "widgets/text.h"
#include "widgets/timeline/alike_dialog.h"
#include "widgets/timeline/callouts.h"
#include "widgets/timeline/range_control.h"
#include "widgets/timeline/timeline_view.h"

#include <QClipboard>
#include <QDialog>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QScopeGuard>
#include <QTabBar>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace tst_window_commands {

using namespace lacuna;
using namespace lacuna::ui;
using test::itemSync;
using test::WindowFixture;

namespace {

// All that a command could change.
struct Snapshot {
    Viewport viewport;
    int scrollY = 0;
    Selection selection;
    std::optional<TimeRange> range;
    std::vector<Callout> callouts;
    std::uint32_t selectedCallout = 0;
    bool criticalPath = false, kernel = false, inspector = true, bottom = true, visible = true,
         loading = false, editor = false;
    ThemeChoice theme = ThemeChoice::Follow;
    Qt::WindowStates states;
    int dialogs = 0;
    QString path, clipboard;
    std::uint64_t cached = 0; // files in the index cache
    LanePlan lanes;
    EventLook look;
    std::vector<std::pair<std::string, bool>> rows; // keys, folded
    std::string currentRow;
    std::size_t bookmarks = 0;
    std::uint32_t hops = 1;
    QString said; // in the status line
    const QWidget* focus = nullptr;
    int tab = 0;          // of the panels below
    QStringList switches; // that are on
    friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

// Situations in which commands are tried.
enum Situation {
    NothingSelected,
    GapSelected,
    EventSelected,
    Marked,
    WithCallout,
    Undone,
    WentBack,
    RowOpened,  // of a report: there are events to walk
    Alike,      // the second of several spans is marked; every bookmark is set
    LaneChosen, // with one below it in its group, and one that is hidden
    Searched,
    MoreHops, // of arrows
    Situations
};

} // namespace

class TstWindowCommands : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->open(itemSync()));
    }
    void cleanup() { m_fixture.reset(); }

    void everyCommandHasAnEffect() {
        const QTemporaryDir cache;
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        qunsetenv("LACUNA_CACHE");
        const auto off = qScopeGuard([] { qputenv("LACUNA_CACHE", "off"); });
        QStringList idle;
        for (const Command& command : std::vector<Command>(commands().commands())) {
            bool effect = false;
            for (int s = 0; s < Situations && !effect; ++s) {
                prepare(static_cast<Situation>(s));
                if (command.id == u"view.themeLight")
                    m_fixture->theme().choose(ThemeChoice::Dark);
                if (command.id == u"file.clearCache")
                    fillCache();
                if (command.id == u"arrows.selection")
                    m_fixture->view().setArrowScope(ArrowScope::Off);
                commands().refresh();
                if (!commands().action(command.id)->isEnabled())
                    continue;
                const Snapshot before = snapshot();
                closeModalDialogSoon();
                commands().run(command.id);
                QApplication::processEvents();
                effect = m_modalSeen || !(snapshot() == before);
                m_modalSeen = false;
            }
            if (!effect)
                idle << command.id;
        }
        QVERIFY2(idle.isEmpty(), qPrintable(idle.join(QStringLiteral(", "))));
    }

    void everyKeyReachesItsCommand() {
        std::set<QString> keys;
        for (const Command& command : std::vector<Command>(commands().commands()))
            for (const QKeySequence& key : command.keys) {
                QVERIFY2(keys.insert(key.toString()).second, qPrintable(key.toString())); // no key twice
                bool reached = false;
                for (int s = 0; s < Situations && !reached; ++s) {
                    prepare(static_cast<Situation>(s));
                    commands().refresh();
                    if (!commands().action(command.id)->isEnabled())
                        continue;
                    QSignalSpy triggered(commands().action(command.id), &QAction::triggered);
                    closeModalDialogSoon();
                    QTest::keySequence(&m_fixture->window().timeline(), key);
                    reached = triggered.size() == 1;
                    m_modalSeen = false;
                }
                QVERIFY2(reached, qPrintable(command.id + u' ' + key.toString()));
            }
    }

    void everyMenuEntryIsACommandOrASubmenu() {
        QStringList titles;
        for (QAction* top : m_fixture->window().menuBar()->actions()) {
            QVERIFY(top->menu() != nullptr);
            titles << top->text().remove(u'&');
            checkEntries(*top->menu());
        }
        QCOMPARE(titles.join(u' '), QStringLiteral("File Edit View Go Analyse Annotate Tools Help"));
        // In the menus: what only a menu shows to people who do not know its name.
        for (const char* id :
             {"arrows.off",         "arrows.selection",   "arrows.range",      "arrows.moreHops",
              "panels.gaps",        "panels.kernels",     "steps.panel",       "panels.operators",
              "panels.api",         "panels.copies",      "panels.phases",     "panels.streams",
              "panels.log",         "panels.ranks",       "panels.reports",    "panels.flame",
              "panels.annotations", "events.chooseArrow", "view.frameTimes",   "file.nsys",
              "file.clearCache",    "lanes.pin",          "view.colourByName", "view.timeWallClock"})
            QVERIFY2(m_inMenus.contains(QLatin1String(id)), id);
    }

    // Alt and the number of a tab shows the panel and takes the keyboard into it.
    void altNumbers_showThePanels() {
        auto* tabs = m_fixture->window().findChild<QWidget*>(u"bottomArea"_s)->findChild<QTabBar*>();
        QStringList titles;
        for (int i = 10; i-- > 0;) {
            key(static_cast<Qt::Key>(Qt::Key_0 + (i + 1) % 10), Qt::AltModifier);
            QCOMPARE(tabs->currentIndex(), i);
            titles.prepend(tabs->tabText(i));
        }
        QCOMPARE(titles.join(u' '), u"Gaps Operators Kernels API Copies Phases Steps Memory Streams Log"_s);
    }

    // From a kernel: its launch; one hop more: the operator around that, and all that it launched.
    void arrows_moreHopsFollowWhatTheyLeadTo() {
        const Document& document = *m_fixture->session().document();
        TimelineViewModel& view = m_fixture->view();
        const EventId kernel = document.gaps->gap(document.gaps->byRank()[0]).next;
        view.goTo(kernel, Origin::Command);
        QCOMPARE(view.frame().arrows.size(), std::size_t{1});
        const EventId launch = view.frame().arrows[0].from;
        QVERIFY(launch == *document.trace().correlations().launchOf(document.trace().events(), kernel));
        key(Qt::Key_BracketRight, Qt::ShiftModifier);
        QCOMPARE(view.arrows().hops, 2u);
        const auto to = [&view](EventId end) {
            std::vector<EventId> from;
            for (const Arrow& arrow : view.frame().arrows)
                if (arrow.to == end)
                    from.push_back(arrow.from);
            return from;
        };
        QCOMPARE(to(kernel).size(), std::size_t{1});
        QCOMPARE(to(launch).size(), std::size_t{1});
        const EventId op = to(launch)[0];
        QVERIFY(document.trace().events().kind[op.v] == EventKind::CpuOp);
        QVERIFY(document.trace().events().range(op).begin <= document.trace().events().range(launch).begin);
        QVERIFY(document.trace().events().range(op).end >= document.trace().events().range(launch).end);
        key(Qt::Key_BracketLeft); // back along the arrow: the launch; again: its operator
        QVERIFY(m_fixture->session().selection().event() == launch);
        QCOMPARE(view.arrows().hops, 1u); // of another selection
        key(Qt::Key_BracketLeft);
        QVERIFY(m_fixture->session().selection().event() == op);
        for (int i = 0; i < 9; ++i)
            key(Qt::Key_BracketRight, Qt::ShiftModifier);
        QCOMPARE(view.arrows().hops, kMostHops);
        key(Qt::Key_BracketLeft, Qt::ShiftModifier);
        QCOMPARE(view.arrows().hops, 1u);
        QVERIFY(commands().run(QStringLiteral("arrows.off")));
        QVERIFY(view.frame().arrows.empty());
    }

    void arrows_ofARangeAreThoseOfItsWork() {
        const Document& document = *m_fixture->session().document();
        const Trace& trace = document.trace();
        const TimeRange range{{9'000'000}, {10'000'000}};
        std::size_t expected = 0;
        for (std::uint32_t e = 0; e < trace.events().size(); ++e)
            if (isDeviceOp(trace.events().kind[e]) && trace.events().beginNs[e] >= range.begin.v &&
                trace.events().beginNs[e] < range.end.v &&
                trace.correlations().launchOf(trace.events(), EventId{e}))
                ++expected;
        QVERIFY(expected > 10 && expected < kMostArrows);
        m_fixture->session().selection().set(range, Origin::Command);
        QVERIFY(m_fixture->view().frame().arrows.empty());
        QVERIFY(commands().run(QStringLiteral("arrows.range")));
        QCOMPARE(m_fixture->view().frame().arrows.size(), expected);
        m_fixture->session().selection().clear(Origin::Command);
        m_fixture->view().showWhole();
        QCOMPARE(m_fixture->view().frame().arrows.size(), kMostArrows); // and no more
        QVERIFY(m_fixture->window().statusLine().parts().contains(QStringLiteral("the first 200 arrows")));
    }

    void arrows_ofAnOperatorAreListedToChooseFrom() {
        const Document& document = *m_fixture->session().document();
        const Trace& trace = document.trace();
        EventId op; // with three launches
        std::vector<EventId> ends;
        for (std::uint32_t e = 0; e < trace.events().size() && !op; ++e)
            if (trace.events().kind[e] == EventKind::CpuOp &&
                arrowEnds(trace, nullptr, EventId{e}, true).size() == 3)
                op = EventId{e};
        QVERIFY(op);
        ends = arrowEnds(trace, nullptr, op, true);
        m_fixture->view().goTo(op, Origin::Command);
        key(Qt::Key_BracketRight, Qt::ControlModifier);
        auto* menu = m_fixture->window().timeline().findChild<QMenu*>(QStringLiteral("arrowMenu"));
        QVERIFY(menu != nullptr && menu->isVisible());
        QCOMPARE(menu->actions().size(), 3);
        QVERIFY(menu->actions()[2]->text().startsWith(
            QString::fromStdString(std::string(trace.nameOf(ends[2])))));
        QTest::keyClick(menu, Qt::Key_Down); // the first is active
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QVERIFY(m_fixture->session().selection().event() == ends[2]);
    }

    // With an event selected the arrow keys walk its lane; without one they pan.
    void leftAndRight_walkTheLaneOfAnEvent() {
        const Document& document = *m_fixture->session().document();
        const EventId kernel = document.gaps->gap(document.gaps->byRank()[0]).next;
        m_fixture->view().goTo(kernel, Origin::Command);
        key(Qt::Key_Right);
        QVERIFY(m_fixture->session().selection().event() == *nextInLane(document.trace(), kernel));
        key(Qt::Key_Left);
        QVERIFY(m_fixture->session().selection().event() == kernel);
    }

    void recentMenuListsFilesAndClears() {
        QMenu* recent = recentMenu();
        QVERIFY(recent != nullptr);
        Q_EMIT recent->aboutToShow();
        QCOMPARE(recent->actions().front()->text(), QStringLiteral("item_sync.pt.trace.json.gz"));
        recent->actions().back()->trigger();
        QVERIFY(m_fixture->state().recentFiles().empty());
        Q_EMIT recent->aboutToShow();
        QVERIFY(!recent->actions().front()->isEnabled());
    }

    void recentFiles_canBeSwitchedOff() {
        const WindowState state = m_fixture->state();
        QVERIFY(state.remembersRecent() && !state.recentFiles().empty());
        QMenu* recent = recentMenu();
        QVERIFY(recent != nullptr);
        Q_EMIT recent->aboutToShow();
        const QList<QAction*> entries = recent->actions();
        QAction* remember = *std::find_if(entries.begin(), entries.end(),
                                          [](const QAction* entry) { return entry->isCheckable(); });
        QVERIFY(remember->isChecked());
        remember->trigger();
        QVERIFY(!state.remembersRecent());
        QVERIFY(state.recentFiles().empty());
        m_fixture->session().reload();
        QTRY_VERIFY_WITH_TIMEOUT(!m_fixture->session().isLoading(), 60'000);
        QVERIFY(state.recentFiles().empty());
        state.setRemembersRecent(true);
    }

    void gapKeysWalkTheRanks() {
        const auto ranks = m_fixture->session().document()->gaps->byRank();
        for (std::size_t i = 0; i < 5; ++i) {
            key(Qt::Key_G);
            QCOMPARE(m_fixture->session().selection().gap(), ranks[i]);
        }
        key(Qt::Key_G, Qt::ShiftModifier);
        QCOMPARE(m_fixture->session().selection().gap(), ranks[3]);
        // In time order: the next listed gap begins later.
        const auto begin = [&] {
            return m_fixture->session()
                .document()
                ->gaps->gap(m_fixture->session().selection().gap())
                .range.begin;
        };
        const TimeNs before = begin();
        key(Qt::Key_Period, Qt::ControlModifier);
        QVERIFY(begin() > before);
        key(Qt::Key_Comma, Qt::ControlModifier);
        QCOMPARE(begin(), before);
    }

    void eventKeysWalkTheLaneAndTheArrow() {
        const Trace& trace = m_fixture->session().document()->trace();
        const Gap& gap = m_fixture->session().document()->gaps->gap(
            m_fixture->session().document()->gaps->byRank().front());
        m_fixture->view().goTo(gap.next, Origin::Command);
        key(Qt::Key_Period);
        const EventId after = m_fixture->session().selection().event();
        QVERIFY(trace.events().beginNs[after.v] >= trace.events().endNs[gap.next.v]);
        key(Qt::Key_Comma);
        QCOMPARE(m_fixture->session().selection().event(), gap.next);
        key(Qt::Key_BracketLeft); // to the launch
        QCOMPARE(m_fixture->session().selection().event(), gap.launch);
        key(Qt::Key_BracketRight);
        QCOMPARE(m_fixture->session().selection().event(), gap.next);
    }

    void escapeDropsSelectionThenRange() {
        const TimeRange range{{5'000'000}, {7'000'000}};
        m_fixture->session().selection().set(range, Origin::Command);
        m_fixture->session().selection().set(m_fixture->session().document()->gaps->byRank().front(),
                                             Origin::Command);
        key(Qt::Key_Escape);
        QVERIFY(!m_fixture->session().selection().gap());
        QVERIFY(m_fixture->session().selection().range().has_value());
        key(Qt::Key_Escape);
        QVERIFY(!m_fixture->session().selection().range().has_value());
    }

    void movementKeys() {
        TimelineViewModel& view = m_fixture->view();
        m_fixture->view().fit({{8'000'000}, {12'000'000}}, 0.0);
        const auto length = [&] { return view.viewport().range().length().v; };
        std::int64_t before = length();
        key(Qt::Key_W);
        QVERIFY(length() < before);
        before = length();
        key(Qt::Key_W, Qt::ShiftModifier);
        QVERIFY(length() < before / 2);
        key(Qt::Key_S, Qt::ShiftModifier);
        key(Qt::Key_S);
        before = length();
        const auto moves = [&](int k, Qt::KeyboardModifiers modifiers, int sign) {
            const std::int64_t begin = view.viewport().begin.v;
            key(static_cast<Qt::Key>(k), modifiers);
            const std::int64_t way = (view.viewport().begin.v - begin) * sign;
            return way > 0 && length() == before ? way : 0;
        };
        const std::int64_t slow = moves(Qt::Key_D, {}, 1);
        QVERIFY(slow > 0);
        QVERIFY(moves(Qt::Key_D, Qt::ShiftModifier, 1) > 2 * slow);
        QVERIFY(moves(Qt::Key_A, {}, -1) > 0);
        QVERIFY(moves(Qt::Key_A, Qt::ShiftModifier, -1) > 0);
        QVERIFY(moves(Qt::Key_Right, {}, 1) > 0);
        QVERIFY(moves(Qt::Key_Left, {}, -1) > 0);
        key(Qt::Key_Home);
        QCOMPARE(view.viewport().range().begin, view.extent().begin);
        // Lanes scroll.
        m_fixture->window().resize(1300, 700);
        QTRY_VERIFY(view.maxScrollY() > 100);
        view.scrollBy(-view.scrollY()); // the first view may show the lane of the worst gap
        key(Qt::Key_Down);
        QVERIFY(view.scrollY() > 0);
        key(Qt::Key_Up);
        QCOMPARE(view.scrollY(), 0);
        key(Qt::Key_PageDown);
        QVERIFY(view.scrollY() > 50);
        key(Qt::Key_PageUp);
        QCOMPARE(view.scrollY(), 0);
    }

    void keysInATextFieldStayThere() {
        auto* filter = m_fixture->window().findChild<QLineEdit*>(QStringLiteral("gapsFilter"));
        filter->setFocus();
        const Viewport before = m_fixture->view().viewport();
        QTest::keyClicks(filter, QStringLiteral("wasd g0"));
        QCOMPARE(filter->text(), QStringLiteral("wasd g0"));
        QCOMPARE(m_fixture->view().viewport(), before);
        QVERIFY(!m_fixture->session().selection().gap());
    }

    void regionsAreReachedByKey() {
        QTest::keyClick(&m_fixture->window().timeline(), Qt::Key_F6);
        std::set<const QWidget*> seen;
        for (int i = 0; i < 5; ++i) {
            seen.insert(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
        }
        QCOMPARE(seen.size(), std::size_t{5});
    }

    void calloutIsWrittenEditedMovedAndUndone() {
        AnalysisSession& session = m_fixture->session();
        m_fixture->view().goTo(session.document()->gaps->byRank().front(), Origin::Command);
        key(Qt::Key_N);
        auto* editor = m_fixture->window().findChild<CalloutEditor*>();
        QVERIFY(editor != nullptr && editor->isVisible());
        auto* body = editor->findChild<QPlainTextEdit*>(QStringLiteral("calloutText"));
        QTest::keyClicks(body, QStringLiteral("the wait, again"));
        QTest::keyClick(body, Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(session.annotations().callouts().size(), std::size_t{1});
        QCOMPARE(session.annotations().callouts().front().text, std::string("the wait, again"));
        key(Qt::Key_N, Qt::ShiftModifier);
        QCOMPARE(session.annotations().callouts().size(), std::size_t{2});
        QCOMPARE(session.annotations().callouts().back().text,
                 session.story(session.selection().gap()).verdict);
        key(Qt::Key_Delete); // the new one is selected
        QCOMPARE(session.annotations().callouts().size(), std::size_t{1});
        key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(session.annotations().callouts().size(), std::size_t{2});
        key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(session.annotations().callouts().size(), std::size_t{1});
        // Dragging its box moves it, undo puts it back.
        const Callout before = session.annotations().callouts().front();
        const QRect box = m_fixture->window().timeline().calloutBox(before.id);
        QVERIFY(!box.isEmpty());
        QWidget* canvas = m_fixture->window().timeline().viewport();
        QTest::mousePress(canvas, Qt::LeftButton, {}, box.center());
        QTest::mouseMove(canvas, box.center() + QPoint(-20, -8));
        QTest::mouseMove(canvas, box.center() + QPoint(-30, -12));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, box.center() + QPoint(-30, -12));
        QCOMPARE(session.annotations().callouts().front().boxDx, before.boxDx - 30);
        QCOMPARE(session.annotations().callouts().front().boxDy, before.boxDy - 12);
        key(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(session.annotations().callouts().front(), before);
    }

    void calloutStaysRightUnderZoomPanAndFold() {
        AnalysisSession& session = m_fixture->session();
        TimelineViewModel& view = m_fixture->view();
        const GapId worst = session.document()->gaps->byRank().front();
        view.goTo(worst, Origin::Command);
        view.fit(session.document()->gaps->gap(worst).range, 0.6);
        key(Qt::Key_N, Qt::ShiftModifier);
        const Callout callout = session.annotations().callouts().front();
        TimelineRenderer renderer(m_fixture->theme().palette(), FigureFonts::load());
        const auto place = [&] {
            const TimelineScene scene = view.scene();
            const auto places = renderer.placeCallouts(scene);
            return places.size() == 1 ? places.front() : CalloutPlace{};
        };
        const auto expectAnchor = [&] {
            QVERIFY(place().id == callout.id);
            QVERIFY(std::abs(place().anchor.x() - view.viewport().xOf(callout.anchorTime())) < 1.5);
        };
        expectAnchor();
        view.zoomAt(1.7, 300);
        expectAnchor();
        view.panBy(-70);
        expectAnchor();
        // Fold the group that holds its lane: the callout goes to the head of the group.
        const LaneId lane = session.document()->trace().laneOf(session.document()->gaps->gap(worst).next);
        const auto rows = view.layout().rows();
        const auto at = *view.layout().visibleRowOf(lane);
        std::size_t head = at;
        while (head > 0 && rows[head].kind != RowKind::GroupHead)
            --head;
        QVERIFY(rows[head].foldable);
        view.toggleFold(TimelineRow(rows[head]));
        QVERIFY(place().inFoldedGroup);
        expectAnchor();
    }

private:
    CommandRegistry& commands() { return m_fixture->window().commands(); }
    // The submenu of the first menu; null where there is none.
    QMenu* recentMenu() {
        QMenu* recent = nullptr;
        for (QAction* entry : m_fixture->window().menuBar()->actions().front()->menu()->actions())
            if (entry->menu() != nullptr)
                recent = entry->menu();
        return recent;
    }
    void checkEntries(const QMenu& menu) {
        QVERIFY(!menu.isEmpty());
        for (QAction* entry : menu.actions()) {
            if (entry->isSeparator())
                continue;
            if (entry->menu() != nullptr && entry->menu() != recentMenu()) {
                checkEntries(*entry->menu());
            } else if (entry->menu() == nullptr) {
                QVERIFY2(commands().action(entry->objectName()) == entry, qPrintable(entry->text()));
                m_inMenus << entry->objectName();
                const QList<QKeySequence>& keys = commands().keys(entry->objectName());
                QCOMPARE(entry->shortcut(), keys.isEmpty() ? QKeySequence() : keys.front());
            }
        }
    }
    void key(Qt::Key k, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&m_fixture->window().timeline(), k, modifiers);
    }

    Snapshot snapshot() {
        Snapshot now;
        MainWindow& window = m_fixture->window();
        now.viewport = m_fixture->view().viewport();
        now.scrollY = m_fixture->view().scrollY();
        now.selection = m_fixture->session().selection().current();
        now.range = m_fixture->session().selection().range();
        const auto callouts = m_fixture->session().annotations().callouts();
        now.callouts.assign(callouts.begin(), callouts.end());
        now.selectedCallout = m_fixture->view().selectedCallout();
        now.inspector = !window.panel(QStringLiteral("inspector"))->isHidden();
        now.bottom = !window.findChild<QWidget*>(QStringLiteral("bottomArea"))->isHidden();
        now.criticalPath = commands().action(QStringLiteral("view.criticalPath"))->isChecked();
        now.kernel = window.findChild<QWidget*>(QStringLiteral("kernelDock"))->isVisible();
        now.visible = window.isVisible();
        now.loading = m_fixture->session().isLoading();
        now.theme = m_fixture->theme().choice();
        now.states = window.windowState();
        now.focus = QApplication::focusWidget();
        now.tab = window.findChild<QTabBar*>()->currentIndex();
        for (const Command& command : commands().commands())
            if (command.checked && command.checked())
                now.switches << command.id;
        if (const Document* document = m_fixture->session().document())
            now.path = document->path;
        now.clipboard = QApplication::clipboard()->text();
        now.cached = IndexCache(defaultCacheFolder()).usage().files;
        for (const QWidget* top : QApplication::topLevelWidgets())
            now.dialogs += top != &window && top->isVisible() ? 1 : 0;
        now.lanes = m_fixture->view().lanePlan();
        now.look = m_fixture->view().look();
        for (const TimelineRow& row : m_fixture->view().layout().rows())
            now.rows.emplace_back(row.key, row.folded);
        if (const TimelineRow* row = m_fixture->view().currentRow())
            now.currentRow = row->key;
        now.bookmarks = m_fixture->view().bookmarks().size();
        now.hops = m_fixture->view().arrows().hops;
        now.said = window.statusLine().message();
        const auto* editor = window.findChild<CalloutEditor*>();
        now.editor = editor != nullptr && editor->isVisible();
        return now;
    }

    // Rejects a dialog that runs its own event loop.
    void closeModalDialogSoon() {
        QTimer::singleShot(0, this, [this] {
            if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
                m_modalSeen = true;
                dialog->reject();
            }
        });
    }

    // What the window has read is too small to be kept.
    static void fillCache() {
        std::filesystem::create_directories(defaultCacheFolder());
        std::ofstream(defaultCacheFolder() / "0.index") << "a trace";
    }

    void prepare(Situation situation) {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (top != &m_fixture->window() && top->isVisible())
                top->close();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        MainWindow& window = m_fixture->window();
        AnalysisSession& session = m_fixture->session();
        if (auto* editor = window.findChild<CalloutEditor*>())
            QTest::keyClick(editor, Qt::Key_Escape);
        window.setWindowState(Qt::WindowNoState);
        window.show();
        QApplication::setActiveWindow(&window);
        while (session.isLoading())
            QTest::qWait(10);
        if (session.document() == nullptr ||
            !session.document()->path.contains(QStringLiteral("item_sync.pt")))
            QVERIFY(m_fixture->open(itemSync()));
        while (session.undoStack().canUndo())
            session.undoStack().undo();
        session.undoStack().clear();
        m_fixture->view().setLanePlan({});
        m_fixture->view().setLook({});
        m_fixture->view().setCurrentRow({});
        m_fixture->view().setBookmarks({});
        m_fixture->view().setArrowScope(ArrowScope::Selected);
        m_fixture->view().foldGroups(false);
        if (window.panel(QStringLiteral("inspector"))->isHidden())
            commands().run(QStringLiteral("view.inspector"));
        if (window.findChild<QWidget*>(QStringLiteral("bottomArea"))->isHidden())
            commands().run(QStringLiteral("view.bottom"));
        m_fixture->theme().choose(ThemeChoice::Light);
        window.search().setTyped({});
        session.selection().clear(Origin::Command);
        m_fixture->view().setSelectedCallout(0);
        m_fixture->view().fit({{8'000'000}, {12'000'000}}, 0.0);
        window.timeline().setFocus();
        const auto ranks = session.document()->gaps->byRank();
        const auto select = [&](const Selection& what) {
            m_fixture->view().goTo(what, Origin::Command);
            m_fixture->view().fit({{8'000'000}, {15'000'000}}, 0.0);
        };
        switch (situation) {
        case GapSelected:
            select(ranks[1]);
            break;
        case EventSelected:
            select(session.document()->gaps->gap(ranks[0]).next);
            break;
        case RowOpened: {
            m_fixture->showTab(QStringLiteral("Reports"));
            auto* table = window.findChild<ReportTableView*>(QStringLiteral("reportTable"));
            QVERIFY(QTest::qWaitFor([&] { return table->rows().rowCount() > 0; }, 30'000));
            Q_EMIT table->rowPointed(0, false);
            window.timeline().setFocus();
            break;
        }
        case Marked:
            session.selection().set(TimeRange{{9'000'000}, {10'000'000}}, Origin::Command);
            break;
        case WithCallout:
        case Undone:
            select(ranks[0]);
            commands().refresh();
            commands().run(QStringLiteral("annotate.addVerdict"));
            if (situation == Undone)
                session.undoStack().undo();
            break;
        case MoreHops:
            select(session.document()->gaps->gap(ranks[0]).next);
            m_fixture->view().setArrowHops(2);
            break;
        case Searched:
            window.search().setTyped(QStringLiteral("gemm"));
            QTRY_VERIFY(window.search().hits() != nullptr && !window.search().isRunning());
            break;
        case WentBack:
            m_fixture->view().fit({{9'000'000}, {10'000'000}}, 0.0);
            m_fixture->view().goBack();
            break;
        case Alike: {
            for (int key = 1; key <= TimelineViewModel::kBookmarks; ++key)
                m_fixture->view().storeBookmark(key);
            m_fixture->view().fit({{9'000'000}, {10'000'000}}, 0.0);
            auto* ranges = window.timeline().findChild<RangeControl*>();
            const auto& steps = session.document()->steps.events;
            session.selection().set(session.document()->trace().events().range(steps[1]), Origin::Command);
            QSignalSpy found(ranges, &RangeControl::alikeFound);
            commands().refresh();
            commands().run(QStringLiteral("ranges.alike"));
            (void)found.wait(20'000);
            delete window.findChild<AlikeDialog*>();
            QApplication::setActiveWindow(&window);
            window.timeline().setFocus();
            break;
        }
        case LaneChosen: {
            LanePlan plan;
            plan.hidden.insert(std::string("gpu/0"));
            m_fixture->view().setLanePlan(plan);
            m_fixture->view().foldGroups(true);
            const auto rows = m_fixture->view().layout().rows();
            const auto group = std::ranges::find(rows, RowKind::GroupHead, &TimelineRow::kind);
            m_fixture->view().setCurrentRow(group->key);
            break;
        }
        default:
            break;
        }
    }

    std::unique_ptr<WindowFixture> m_fixture;
    bool m_modalSeen = false;
    QStringList m_inMenus;
};

LACUNA_TEST(TstWindowCommands, "tst_window_commands")

} // namespace tst_window_commands

#include "tst_window_commands.moc"
