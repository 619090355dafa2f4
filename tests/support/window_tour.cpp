#include "tests/support/window_tour.h"

#include "core/analysis/alike_spans.h"
#include "core/import/archive_members.h"
#include "tests/support/paths.h"
#include "widgets/flame/flame_view.h"
#include "widgets/panels/panel.h"
#include "widgets/states/member_dialog.h"
#include "widgets/tables/report_table_view.h"
#include "widgets/timeline/alike_dialog.h"
#include "widgets/timeline/timeline_view.h"

#include <QDialog>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTabBar>
#include <QTimer>
#include <QTreeWidget>

namespace lacuna::test {

namespace {

using namespace Qt::Literals::StringLiterals;
using namespace ui;

constexpr int kPatienceMs = 60'000; // states are waited for

bool waitFor(const std::function<bool()>& state) {
    return QTest::qWaitFor(state, kPatienceMs);
}

class Tour {
public:
    explicit Tour(const Visit& visit) : m_visit(visit) {}

    QString run() {
        startPages();
        panels();
        selections();
        dialogs();
        damagedTrace();
        menus();
        return m_missed;
    }

private:
    MainWindow& window() { return m_fixture->window(); }
    AnalysisSession& session() { return m_fixture->session(); }
    const Document& document() { return *session().document(); }
    void stop(const QString& what) {
        for (int i = 0; i < 3; ++i) // layouts that wait, and those around them
            QApplication::processEvents();
        m_visit({what, window(), *m_fixture});
    }
    void miss(const QString& what) {
        if (m_missed.isEmpty())
            m_missed = what;
    }
    void expect(bool reached, const QString& what) {
        if (!reached)
            miss(what);
        stop(what);
    }
    bool begin(const std::filesystem::path& file, bool isFirstRun = false) {
        m_fixture.reset();
        m_fixture = std::make_unique<WindowFixture>(isFirstRun);
        return file.empty() || m_fixture->open(file);
    }
    bool openItemSync(bool isFirstRun = false) {
        return begin(fixture("captured/torch/item_sync.pt.trace.json.gz"), isFirstRun);
    }
    // Shows the panel of that id below the timeline.
    bool showPanel(const QString& id) {
        QWidget* panel = window().panel(id);
        auto* tabs = window().findChild<QWidget*>(u"bottomArea"_s)->findChild<QTabBar*>();
        for (int i = 0; i < tabs->count() && panel != nullptr && !panel->isVisible(); ++i)
            tabs->setCurrentIndex(i);
        return panel != nullptr && panel->isVisible();
    }
    // The dialog or popover that a command opens, visited and closed.
    void openedBy(const QString& command) {
        window().commands().run(command);
        QWidget* opened = nullptr;
        const bool there = waitFor([&] {
            for (QWidget* top : QApplication::topLevelWidgets())
                if (top->isVisible() && top != &window() && !qobject_cast<QMenu*>(top) &&
                    !top->inherits("QTipLabel"))
                    opened = top;
            return opened != nullptr;
        });
        if (!there)
            return miss(command);
        visitDialog(command, *opened);
    }
    void visitDialog(const QString& what, QWidget& dialog) {
        QApplication::setActiveWindow(&dialog);
        (void)QTest::qWaitForWindowActive(&dialog);
        QApplication::processEvents();
        m_visit({what, dialog, *m_fixture});
        dialog.close();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QApplication::setActiveWindow(&window());
        (void)QTest::qWaitForWindowActive(&window());
    }

    void startPages() {
        begin({});
        stop(u"start page"_s);
        const QString bad = m_fixture->folder() + u"/bad.json"_s;
        QFile file(bad);
        if (!file.open(QIODevice::WriteOnly) || file.write("{\"a\": 1}") < 0)
            return miss(u"a file that is no trace"_s);
        file.close();
        m_fixture->state().addRecent({bad, QDateTime::currentDateTime(), 1});
        expect(!m_fixture->open(bad.toStdString()), u"a file that is no trace"_s);
        if (!openItemSync(true))
            return miss(u"hints"_s);
        stop(u"hints"_s);
    }

    void panels() {
        if (!openItemSync())
            return miss(u"trace"_s);
        expect(waitFor([&] {
                   for (const auto* label : window().findChildren<QLabel*>())
                       if (label->isVisible() && label->text().contains(u"Looking for findings"_s))
                           return false;
                   return true;
               }),
               u"findings"_s);
        expect(showPanel(u"gaps"_s), u"gaps panel"_s);
        const bool hasKernels = showPanel(u"kernels"_s) && waitFor([&] {
                                    auto* table = window().findChild<ReportTableView*>(u"kernelTable"_s);
                                    return table != nullptr && table->rows().rowCount() > 0;
                                });
        expect(hasKernels, u"kernels panel"_s);
        window().commands().run(u"view.kernel"_s);
        stop(u"kernel page, none chosen"_s);
        for (const auto* command : {"events.next", "events.next"})
            window().commands().run(QString::fromLatin1(command));
        const Gap& worst = document().gaps->gap(document().gaps->byRank().front());
        session().selection().set(worst.next, Origin::Command);
        stop(u"kernel page"_s);
        window().commands().run(u"view.kernel"_s);
        expect(showPanel(u"memory"_s), u"memory panel"_s);
        const bool hasReports = showPanel(u"reports"_s);
        auto* names = window().findChild<QTreeWidget*>(u"reportNames"_s);
        const auto found = names->findItems(u"cuda_gpu_kern_sum"_s, Qt::MatchExactly);
        if (!found.isEmpty())
            names->setCurrentItem(found.front());
        auto* table = window().findChild<ReportTableView*>(u"reportTable"_s);
        expect(hasReports && !found.isEmpty() &&
                   waitFor([&] { return !table->isArranging() && table->rows().rowCount() > 0; }),
               u"reports panel"_s);
        for (const auto* id : {"operators", "api", "copies", "phases", "streams"}) {
            const QString name = QString::fromLatin1(id);
            auto* rows = window().findChild<ReportTableView*>(name + u"Table"_s);
            expect(showPanel(name) &&
                       waitFor([&] { return !rows->isArranging() && rows->rows().table() != nullptr; }),
                   name);
        }
        expect(showPanel(u"ranks"_s), u"ranks, of a trace that tells none"_s);
        expect(showPanel(u"log"_s), u"empty log"_s);
        window().view().goTo(document().gaps->byRank().front(), Origin::Command);
        window().findChild<QPushButton*>(u"logAdd"_s)->click();
        stop(u"log"_s);
        window().search().setTyped(u"aten::add"_s);
        expect(showPanel(u"search"_s) && waitFor([&] { return window().search().hits() != nullptr; }),
               u"search panel"_s);
        window().search().setTyped({});
        auto* flames = window().findChild<FlameView*>();
        expect(showPanel(u"flame"_s) && waitFor([&] { return flames->graph() != nullptr; }),
               u"flame panel"_s);
        window().view().goTo(document().gaps->byRank().front(), Origin::Command);
        window().commands().run(u"annotate.addVerdict"_s);
        expect(showPanel(u"annotations"_s), u"annotations panel"_s);
        showPanel(u"gaps"_s);
    }

    void selections() {
        if (!openItemSync())
            return miss(u"trace"_s);
        const GapId worst = document().gaps->byRank().front();
        window().view().goTo(worst, Origin::Command);
        stop(u"page of a gap"_s);
        window().view().goTo(document().gaps->gap(worst).next, Origin::Command);
        stop(u"page of an event"_s);
        session().selection().set(TimeRange{{8'000'000}, {12'000'000}}, Origin::Command);
        stop(u"page of a range"_s);
        session().selection().set(document().trace().laneOf(document().gaps->gap(worst).next),
                                  Origin::Command);
        stop(u"page of a lane"_s);
        window().view().goTo(worst, Origin::Command);
        window().commands().run(u"annotate.add"_s);
        expect(window().findChild<QWidget*>(u"calloutEditor"_s) != nullptr, u"editor of a callout"_s);
        window().commands().run(u"timeline.escape"_s);
        for (const auto* command : {"find.commands", "find.lane", "find.place"}) {
            window().commands().run(QString::fromLatin1(command));
            stop(QString::fromLatin1(command));
        }
        window().timeline().setFocus();
        window().resize(1100, 800);
        stop(u"narrow window"_s);
    }

    void dialogs() {
        if (!openItemSync())
            return miss(u"trace"_s);
        for (const auto* command : {"file.export", "help.keys", "help.concepts", "help.about", "file.nsys"})
            openedBy(QString::fromLatin1(command));
        // A modal question: its own loop runs while it is visited.
        session().selection().set(
            document().trace().laneOf(document().gaps->gap(document().gaps->byRank().front()).next),
            Origin::Command);
        for (const auto* command : {"lanes.rename", "lanes.filter"}) {
            QTimer::singleShot(0, &window(), [this, command] {
                if (QWidget* modal = QApplication::activeModalWidget())
                    visitDialog(QString::fromLatin1(command), *modal);
                else
                    miss(QString::fromLatin1(command));
            });
            window().commands().run(QString::fromLatin1(command));
        }
        MemberDialog members(u"traces.zip"_s, {{"a.json", 100}, {"b.json", {}}},
                             MemberDialog::Choice::Several, &window());
        members.show();
        visitDialog(u"member dialog"_s, members);
        JobControl job;
        const TimeRange step = document().trace().events().range(document().steps.events[1]);
        if (const auto alike = findAlike(document().trace(), step, job)) {
            AlikeDialog dialog(*alike, {}, &window());
            dialog.show();
            visitDialog(u"alike dialog"_s, dialog);
        } else {
            miss(u"alike dialog"_s);
        }
        openedBy(u"view.notes"_s);
    }

    // Its end is missing, so there is a banner and a note with a place.
    void damagedTrace() {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"cut.json"_s);
        QFile whole(QString::fromStdString(fixture("micro/M1.json").string())), cut(path);
        if (!whole.open(QIODevice::ReadOnly) || !cut.open(QIODevice::WriteOnly))
            return miss(u"cut trace"_s);
        cut.write(whole.readAll().chopped(60));
        cut.close();
        expect(begin(path.toStdString()), u"cut trace"_s);
        window().commands().run(u"view.notes"_s);
        QPushButton* place = nullptr;
        for (auto* button : window().findChildren<QPushButton*>(u"notePlace"_s))
            place = button;
        if (place == nullptr)
            return miss(u"place of a note"_s);
        place->click();
        QDialog* dialog = nullptr;
        if (!waitFor([&] { return (dialog = window().findChild<QDialog*>(u"placeDialog"_s)) != nullptr; }))
            return miss(u"place of a note"_s);
        visitDialog(u"place of a note"_s, *dialog);
    }

    void menus() {
        if (!openItemSync())
            return miss(u"trace"_s);
        window().view().goTo(document().gaps->byRank().front(), Origin::Command);
        for (QMenu* menu : window().menuBar()->findChildren<QMenu*>()) {
            Q_EMIT menu->aboutToShow();
            m_visit({u"menu "_s + menu->title(), *menu, *m_fixture});
        }
        QContextMenuEvent event(QContextMenuEvent::Keyboard, window().timeline().lanesRect().center(),
                                window().timeline().mapToGlobal(window().timeline().lanesRect().center()));
        QApplication::sendEvent(window().timeline().viewport(), &event);
        if (auto* menu = window().findChild<QMenu*>(u"timelineMenu"_s)) {
            m_visit({u"menu of the timeline"_s, *menu, *m_fixture});
            menu->close();
        } else {
            miss(u"menu of the timeline"_s);
        }
    }

    const Visit& m_visit;
    std::unique_ptr<WindowFixture> m_fixture;
    QString m_missed;
};

} // namespace

QString tourWindow(const Visit& visit) {
    return Tour(visit).run();
}

QList<QWidget*> visibleWidgets(QWidget& window) {
    QList<QWidget*> all{&window};
    for (QWidget* child : window.findChildren<QWidget*>())
        if (child->isVisible() && child->window() == window.window())
            all << child;
    return all;
}

} // namespace lacuna::test
