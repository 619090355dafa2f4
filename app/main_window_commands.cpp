// The commands that belong to the program as a whole: files, panels, theme, help.

#include "app/about_dialog.h"
#include "app/bottom_area.h"
#include "app/folder_control.h"
#include "app/help_dialog.h"
#include "app/kernel_control.h"
#include "app/lane_memory_control.h"
#include "app/main_window.h"
#include "app/path_control.h"
#include "app/samples.h"
#include "app/status_line.h"
#include "app/step_control.h"
#include "core/base/text_format.h"
#include "core/cache/index_cache.h"
#include "widgets/command/keys_dialog.h"
#include "widgets/export/export_dialog.h"
#include "widgets/panels/panel.h"
#include "widgets/states/banner.h"
#include "widgets/states/start_page.h"
#include "widgets/summary/summary_strip.h"
#include "widgets/text.h"
#include "widgets/timeline/annotation_control.h"
#include "widgets/timeline/callouts.h"
#include "widgets/timeline/lane_control.h"
#include "widgets/timeline/range_control.h"
#include "widgets/timeline/time_base_control.h"
#include "widgets/timeline/timeline_commands.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace lacuna::ui {

void MainWindow::registerCommands() {
    registerFileCommands();
    new TimelineCommands(*m_timeline, *m_callouts, m_session, m_commands); // owned by the timeline
    auto* lanes = new LaneControl(*m_timeline, m_commands);                // this one too
    new LaneMemoryControl(m_view, m_state.lanesFile(), lanes);
    auto* ranges = new RangeControl(*m_timeline, m_commands);
    new TimeBaseControl(*m_timeline, m_commands);
    auto* annotations = new AnnotationControl(*m_timeline, m_commands);
    const auto say = [this](const QString& what) { m_status->showMessage(what); };
    connect(ranges, &RangeControl::said, this, say);
    connect(annotations, &AnnotationControl::said, this, say);
    registerViewCommands();
    registerPanelCommands();
    new PathControl(m_session, m_timeline->model(), m_commands, this);
    m_kernels = new KernelControl(*this, *static_cast<KernelsPanel*>(panel(u"kernels"_s)),
                                  {m_session, m_view, m_commands, m_search}, m_theme);
    connect(m_kernels, &KernelControl::said, m_status, &StatusLine::showMessage);
    m_steps = new StepControl(
        *this, *static_cast<StepsPanel*>(panel(u"steps"_s)), {m_session, m_view, m_commands, m_search},
        m_theme, *static_cast<QVBoxLayout*>(m_lanes->layout()), [this] { showPanel(u"steps"_s); });
    registerHelpCommands();
}

void MainWindow::registerFileCommands() {
    const QString group = tr("File and edit");
    const auto open = [this] { return m_session.document() != nullptr; };
    const auto add = [&](const QString& id, const QString& title, QList<QKeySequence> keys,
                         std::function<void()> run, std::function<bool()> available) {
        m_commands.add(
            {id, group, title, std::move(keys), std::move(run), std::move(available), nullptr, false, {}});
    };
    add(u"file.open"_s, tr("&Open..."), {QKeySequence(Qt::CTRL | Qt::Key_O)}, [this] { chooseFile(); }, {});
    auto* folders = new FolderControl(*this); // open() finds it
    connect(folders, &FolderControl::chosen, this, [this](const QString& file) { MainWindow::open(file); });
    connect(folders, &FolderControl::failed, this,
            [this](const QString& what, const QString& remedy) { tell(what, remedy); });
    const auto chooseFolder = [this, folders] { folders->choose(m_folder); };
    connect(m_start, &StartPage::folderRequested, folders, chooseFolder);
    add(u"file.openFolder"_s, tr("Open a &folder..."), {}, chooseFolder, {});
    add(
        u"file.reload"_s, tr("Re&load"), {Qt::Key_F5},
        [this] {
            if (mayLoseCallouts())
                m_session.reload();
        },
        [this, open] { return open() || m_session.failure(); });
    add(
        u"file.close"_s, tr("&Close"), {QKeySequence(Qt::CTRL | Qt::Key_W)},
        [this] {
            if (mayLoseCallouts())
                m_session.close();
        },
        [this, open] { return open() || m_session.isLoading() || m_session.failure(); });
    add(
        u"file.save"_s, tr("&Save workspace"), {QKeySequence(Qt::CTRL | Qt::Key_S)},
        [this] {
            if (m_workspace.file().isEmpty())
                saveWorkspaceAs();
            else
                m_workspace.save(m_workspace.file());
        },
        open);
    add(
        u"file.saveAs"_s, tr("Save workspace &as..."), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
        [this] { saveWorkspaceAs(); }, open);
    add(
        u"file.export"_s, tr("&Export figure..."), {QKeySequence(Qt::CTRL | Qt::Key_E)},
        [this] { exportFigure(); }, open);
    add(
        u"file.clearCache"_s, tr("Clear index &cache"), {}, [this] { clearCache(); },
        [] { return IndexCache(defaultCacheFolder()).usage().files != 0; });
    add(u"file.quit"_s, tr("&Quit"), {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [this] { window()->close(); }, {});
    add(
        u"edit.undo"_s, tr("&Undo"), {QKeySequence(Qt::CTRL | Qt::Key_Z)},
        [this] { m_session.undoStack().undo(); }, [this] { return m_session.undoStack().canUndo(); });
    add(
        u"edit.redo"_s, tr("&Redo"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)},
        [this] { m_session.undoStack().redo(); }, [this] { return m_session.undoStack().canRedo(); });
    add(
        u"edit.copyReport"_s, tr("&Copy the report of the notes"), {}, [this] { copyReport(); }, open);
}

void MainWindow::clearCache() {
    const IndexCache cache(defaultCacheFolder());
    const IndexCache::Usage usage = cache.usage();
    cache.clear();
    m_status->showMessage(tr("The index cache is empty: %1 are free again.")
                              .arg(QString::fromStdString(formatBytes(usage.bytes))));
}

void MainWindow::registerViewCommands() {
    const QString group = tr("Window");
    const auto open = [this] { return m_session.document() != nullptr; };
    const auto flip = [&](const QString& id, const QString& title, QList<QKeySequence> keys,
                          std::function<void()> run, std::function<bool()> on,
                          std::function<bool()> available = {}) {
        m_commands.add({id, group, title, std::move(keys), std::move(run), std::move(available), nullptr,
                        false, std::move(on)});
    };
    flip(
        u"view.inspector"_s, tr("&Inspector"), {Qt::Key_I}, [this] { togglePanel(true); },
        [this] { return isInspectorShown(); }, open);
    flip(
        u"view.bottom"_s, tr("&Panels below"), {Qt::Key_Q}, [this] { togglePanel(false); },
        [this] { return !findChild<QWidget*>(u"bottomArea"_s)->isHidden(); }, open);
    const auto theme = [&](const QString& id, const QString& title, ThemeChoice choice) {
        flip(
            id, title, {}, [this, choice] { m_theme.choose(choice); },
            [this, choice] { return m_theme.choice() == choice; });
    };
    theme(u"view.themeFollow"_s, tr("Theme of the &desktop"), ThemeChoice::Follow);
    theme(u"view.themeLight"_s, tr("Li&ght theme"), ThemeChoice::Light);
    theme(u"view.themeDark"_s, tr("Dar&k theme"), ThemeChoice::Dark);
    theme(u"view.themeContrast"_s, tr("High &contrast"), ThemeChoice::HighContrast);
    const auto textSize = [&](const QString& id, const QString& title, int direction) {
        m_commands.add(
            {id,
             group,
             title,
             {},
             [this, direction] { stepTextSize(direction); },
             [this, direction] { return textSizeAfter(direction) != m_state.layout().textPercent; },
             nullptr,
             false,
             {}});
    };
    textSize(u"view.textLarger"_s, tr("Larger te&xt"), 1);
    textSize(u"view.textSmaller"_s, tr("S&maller text"), -1);
    flip(
        u"view.plainWheelZooms"_s, tr("Plain &wheel zooms"), {},
        [this] { setPlainWheelZooms(!m_plainWheelZooms); }, [this] { return m_plainWheelZooms; });
    flip(
        u"view.frameTimes"_s, tr("&Frames per second in the status line"), {},
        [this] { m_status->setFrameTimes(!m_status->hasFrameTimes()); },
        [this] { return m_status->hasFrameTimes(); });
    flip(
        u"view.reducedMotion"_s, tr("Less m&otion"), {},
        [this] { m_theme.setReducedMotion(!m_theme.isMotionChosen()); },
        [this] { return m_theme.isMotionReduced(); },
        [this] { return m_theme.isMotionChosen() || !m_theme.isMotionReduced(); }); // else the desktop's wish
    flip(
        u"view.fullScreen"_s, tr("F&ull screen"), {Qt::Key_F11},
        [this] { window()->setWindowState(window()->windowState() ^ Qt::WindowFullScreen); },
        [this] { return window()->isFullScreen(); });
    const auto plain = [&](const QString& id, const QString& title, QList<QKeySequence> keys,
                           std::function<void()> run, QWidget* scope) {
        m_commands.add({id, group, title, std::move(keys), std::move(run), open, scope, false, {}});
    };
    plain(
        u"view.notes"_s, tr("&Notes on this trace"), {QKeySequence(Qt::CTRL | Qt::Key_I)},
        [this] { showNotes(); }, nullptr);
    plain(
        u"view.focusInspector"_s, tr("Go into the &inspector"), {Qt::Key_Return, Qt::Key_Enter},
        [this] { focusInspector(); }, m_timeline);
    plain(
        u"view.nextRegion"_s, tr("Next &region of the window"), {Qt::Key_F6}, [this] { nextRegion(1); },
        nullptr);
    plain(
        u"view.previousRegion"_s, tr("Previous region of the window"), {QKeySequence(Qt::SHIFT | Qt::Key_F6)},
        [this] { nextRegion(-1); }, nullptr);
}

// Alt and the number of the tab. The steps and the hits of a search have commands of their own elsewhere.
void MainWindow::registerPanelCommands() {
    for (const PanelEntry& entry : builtinPanels()) {
        const QString id = QString::fromLatin1(entry.id);
        if (entry.home != PanelHome::Bottom || id == u"steps"_s || id == u"search"_s)
            continue;
        m_commands.add({u"panels."_s + id,
                        tr("Panels"),
                        panel(id)->title(),
                        tabKeys(id),
                        [this, id] {
                            showPanel(id);
                            panel(id)->takeFocus();
                        },
                        [this] { return m_session.document() != nullptr; },
                        nullptr,
                        false,
                        {}});
    }
}

int MainWindow::textSizeAfter(int direction) const {
    const int now = m_state.layout().textPercent;
    if (direction > 0) {
        const auto next = std::upper_bound(kTextSizes.begin(), kTextSizes.end(), now);
        return next == kTextSizes.end() ? now : *next;
    }
    const auto next = std::lower_bound(kTextSizes.begin(), kTextSizes.end(), now);
    return next == kTextSizes.begin() ? now : *(next - 1);
}

void MainWindow::setPlainWheelZooms(bool zooms) {
    m_plainWheelZooms = zooms;
    m_timeline->setPlainWheelZooms(zooms);
}

void MainWindow::stepTextSize(int direction) {
    WindowLayout layout = currentLayout();
    layout.textPercent = textSizeAfter(direction);
    m_state.saveLayout(layout);
    if (m_textSizeChanged)
        m_textSizeChanged();
    else
        m_status->showMessage(tr("Text size %1 % when Lacuna starts again.").arg(layout.textPercent));
}

void MainWindow::registerHelpCommands() {
    const QString group = tr("Help");
    const auto add = [&](const QString& id, const QString& title, QList<QKeySequence> keys,
                         std::function<void()> run) {
        m_commands.add({id, group, title, std::move(keys), std::move(run), {}, nullptr, false, {}});
    };
    add(u"help.keys"_s, tr("&Keys and mouse"), {Qt::Key_F1, Qt::Key_Question}, [this] {
        auto* dialog = new KeysDialog(m_commands, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
    add(u"help.concepts"_s, tr("&Concepts"), {}, [this] { showHelp(u"concepts"_s); });
    add(u"help.covers"_s, tr("&What does this number cover?"), {QKeySequence(Qt::SHIFT | Qt::Key_F1)},
        [this] { showHelp(u"numbers"_s, helpHeading()); });
    add(u"help.sums"_s, tr("&Sum and busy: try it"), {}, [this] { showHelp(u"sums"_s); });
    const std::vector<SampleTrace> samples = sampleTraces();
    for (std::size_t i = 0; i < samples.size(); ++i)
        add(u"help.sample%1"_s.arg(i), tr("Example: %1").arg(samples[i].title), {},
            [this, resource = samples[i].resource] { openSample(resource); });
    add(u"help.about"_s, tr("&About Lacuna"), {}, [this] {
        auto* dialog = new AboutDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->show();
    });
}

void MainWindow::showHelp(const QString& page, const QString& heading) {
    auto* dialog = new HelpDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
    dialog->showPage(page, heading);
}

// The heading about what is looked at: of the panel with the keyboard, else of what is selected.
QString MainWindow::helpHeading() {
    const QWidget* focus = QApplication::focusWidget();
    const Panel* flames = panel(u"flame"_s);
    if (flames != nullptr && flames->isAncestorOf(focus))
        return u"Flame graph"_s;
    if (const Panel* memory = panel(u"memory"_s); memory->isAncestorOf(focus))
        return u"Memory"_s;
    if (focus != nullptr && (panel(u"steps"_s)->isAncestorOf(focus) || focus == &m_steps->strip()))
        return u"Steps"_s;
    if (focus != nullptr && m_bottom->isAncestorOf(focus))
        return u"Tables"_s;
    if (focus != nullptr && m_summary->isAncestorOf(focus))
        return u"Summary"_s;
    if (m_session.selection().gap())
        return u"Gap"_s;
    if (m_session.selection().event())
        return u"Event"_s;
    return m_session.selection().range() ? u"Range"_s : u"Summary"_s;
}

void MainWindow::fillRecent(QMenu& menu) {
    const std::vector<RecentFile> files = m_state.recentFiles();
    for (const RecentFile& file : files) {
        QAction* action = menu.addAction(QFileInfo(file.path).fileName().replace(u'&', u"&&"_s));
        action->setToolTip(file.path);
        action->setEnabled(QFileInfo::exists(file.path));
        connect(action, &QAction::triggered, this, [this, path = file.path] { open(path); });
    }
    if (files.empty())
        menu.addAction(tr("No recent files"))->setEnabled(false);
    menu.addSeparator();
    QAction* remember = menu.addAction(tr("&Remember opened files"));
    remember->setCheckable(true);
    remember->setChecked(m_state.remembersRecent());
    connect(remember, &QAction::toggled, this, [this](bool on) {
        m_state.setRemembersRecent(on);
        showState();
    });
    if (files.empty())
        return;
    connect(menu.addAction(tr("&Clear")), &QAction::triggered, this, [this] {
        m_state.clearRecent();
        showState();
    });
}

QString MainWindow::fileFilter() {
    return tr("Traces and workspaces (*.json *.gz *.sqlite *.db *.zst *.xz *.zip *.tar *.tgz "
              "*.nsys-rep *.qdrep *.qdstrm "
              "*.lacuna);;Figures that hold a view (*.png *.svg *.pdf);;All files (*)");
}

void MainWindow::chooseFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a trace"), m_folder, fileFilter());
    if (!path.isEmpty())
        open(path);
}

void MainWindow::openSample(const QString& resource) {
    const Result<QString> file = sampleFile(resource);
    if (file)
        open(*file);
    else
        m_status->showMessage(text(file.error().detail));
}

void MainWindow::saveWorkspaceAs() {
    const QFileInfo trace(m_session.document()->path);
    const QString start = trace.absolutePath() + u'/' + trace.fileName().section(u'.', 0, 0) + u".lacuna"_s;
    QString file = QFileDialog::getSaveFileName(this, tr("Save workspace"),
                                                m_workspace.file().isEmpty() ? start : m_workspace.file(),
                                                tr("Workspaces (*.lacuna)"));
    if (file.isEmpty())
        return;
    if (!file.endsWith(u".lacuna"_s, Qt::CaseInsensitive))
        file += u".lacuna"_s;
    m_workspace.save(file);
}

void MainWindow::exportFigure() {
    auto* dialog = new ExportDialog(m_view, m_theme.palette().theme(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowModality(Qt::WindowModal);
    connect(dialog, &ExportDialog::saved, this, [this](const QString& path) {
        m_session.undoStack().setClean(); // the callouts are in the picture now
        m_status->showMessage(tr("%1 is written.").arg(path));
    });
    dialog->show();
}

} // namespace lacuna::ui
