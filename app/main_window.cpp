#include "app/main_window.h"

#include "app/autosave_control.h"
#include "app/bottom_area.h"
#include "app/change_watch.h"
#include "app/finder_control.h"
#include "app/folder_control.h"
#include "app/go_to.h"
#include "app/hint_bar.h"
#include "app/kernel_control.h"
#include "app/menus.h"
#include "app/nsys_setting.h"
#include "app/report_control.h"
#include "app/samples.h"
#include "app/status_line.h"
#include "app/step_control.h"
#include "widgets/export/carried_figure.h"
#include "widgets/panels/panel.h"
#include "widgets/session/document_title.h"
#include "widgets/session/open_traces.h"
#include "widgets/session/session_settings.h"
#include "widgets/session/trace_log.h"
#include "widgets/states/banner.h"
#include "widgets/states/load_strip.h"
#include "widgets/states/member_dialog.h"
#include "widgets/states/start_page.h"
#include "widgets/summary/summary_strip.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"
#include "widgets/timeline/callouts.h"
#include "widgets/timeline/overview_strip.h"
#include "widgets/timeline/timeline_commands.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr int kInspectorWidth = 384, kBottomHeight = 232;
constexpr QSize kDefaultSize(1440, 900);
constexpr int kFontsMs = 200; // the empty window is painted by then, a large trace not yet

QStringList localFiles(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile() && QFileInfo(url.toLocalFile()).isFile())
            files << url.toLocalFile();
    return files;
}

} // namespace

MainWindow::MainWindow(WindowState state, ThemeControl& theme, QWidget* parent,
                       std::unique_ptr<OpenWork> work)
    : QMainWindow(parent), m_state(std::move(state)), m_theme(theme),
      m_kept(work != nullptr ? std::move(work) : std::make_unique<OpenWork>()), m_session(m_kept->session),
      m_view(m_kept->view), m_workspace(m_kept->workspace), m_search(m_kept->search), m_commands(this) {
    setObjectName(u"mainWindow"_s);
    setAcceptDrops(true);
    setMinimumSize(leastWindowSize(m_state.layout().textPercent));
    m_askLoss = [this] {
        return QMessageBox::question(
                   this, tr("Notes are not saved"),
                   tr("The notes of this view, and what was said of its steps, are not kept when it is "
                      "closed. Save the workspace to keep them, or export a figure to keep the notes. "
                      "Close all the same?")) == QMessageBox::Yes;
    };
    m_workspace.setLockFolder(m_state.lockFolder());
    buildWindow();
    buildPanels();
    registerCommands();
    new NsysSetting(m_session, m_commands, m_state, this);
    m_finder = new FinderControl(*this, m_search, m_view, m_commands, m_theme.palette(),
                                 [this] { showPanel(u"search"_s); });
    new ReportControl(*this, m_session, m_workspace, m_commands, // owned by the window
                      [this](const QString& what) { m_status->showMessage(what); });
    m_commands.applyKeyChanges(m_state.keys());
    if (!m_state.hintsDone())
        addHints();
    buildMenus(*menuBar(), m_commands, [this](QMenu& menu) { fillRecent(menu); });
    connectSession();
    restoreLayout();
    applyTheme();
    showDocument();
    QTimer::singleShot(kFontsMs, this, &warmFonts);
    if (m_session.document() != nullptr) { // it was opened before these widgets were made
        m_view.setHeld(true);
        m_session.tellAgain();
        m_view.setHeld(false);
        for (Panel* panel : m_panels)
            panel->restore(m_kept->panels.value(panel->objectName()));
    }
    if (Panel* shown = panel(m_kept->shownPanel); shown != nullptr)
        m_bottom->showPanel(shown);
    if (m_kept->hasKernelPage)
        m_commands.run(u"view.kernel"_s);
    if (!m_kept->interrupted.isEmpty())
        m_session.open(std::exchange(m_kept->interrupted, QString()), m_kept->interruptedMember);
}

std::unique_ptr<OpenWork> MainWindow::takeWork() {
    m_state.saveLayout(currentLayout());
    if (m_session.isLoading()) {
        m_kept->interrupted = m_session.loadingPath();
        m_kept->interruptedMember = m_session.loadingMember();
        m_session.cancelOpen();
    }
    for (const Panel* panel : m_panels)
        m_kept->panels[panel->objectName()] = panel->kept();
    m_kept->shownPanel = m_bottom->current()->objectName();
    m_kept->hasKernelPage = m_kernels->dock().isVisible();
    m_session.stopJobs();
    m_workspace.stopJobs();
    m_search.stopJobs();
    return std::move(m_kept);
}

MainWindow::~MainWindow() {
    // A text that is being written is put where it belongs while all of it is still there.
    if (QWidget* writing = focusWidget())
        writing->clearFocus();
    // They and the panels read the session: they go first.
    delete m_autosave;
    delete m_changes;
    delete m_finder;
    delete m_kernels;
    delete takeCentralWidget();
}

Panel* MainWindow::panel(const QString& id) const {
    for (Panel* panel : m_panels)
        if (panel->objectName() == id)
            return panel;
    return nullptr;
}

void MainWindow::buildWindow() {
    const FigureFonts fonts = FigureFonts::load();
    m_loadStrip = new LoadStrip(m_session);
    m_banner = new Banner;
    m_autosave = new AutosaveControl(*this, m_session, m_workspace, m_state.autosaveFolder());
    m_changes = new ChangeWatch(
        m_session, [this] { m_commands.run(u"file.reload"_s); }, this);
    m_start = new StartPage;
    m_loading = new LoadingPage;
    m_summary = new SummaryStrip(m_session);
    m_overview = new OverviewStrip(m_view, m_theme.palette(), fonts);
    m_timeline = new TimelineView(m_view, m_theme.palette(), fonts);
    m_callouts = new Callouts(*m_timeline, m_session);
    m_bottom = new BottomArea;
    m_columns = new QSplitter(Qt::Horizontal);
    m_lanes = new QWidget; // the timeline, and above it what StepControl puts there
    auto* lanes = new QVBoxLayout(m_lanes);
    lanes->setContentsMargins(0, 0, 0, 0);
    lanes->setSpacing(0);
    lanes->addWidget(m_timeline, 1);
    m_columns->addWidget(m_lanes);
    m_rows = new QSplitter(Qt::Vertical);
    m_rows->addWidget(m_columns);
    m_rows->addWidget(m_bottom);
    for (QSplitter* splitter : {m_rows, m_columns}) {
        splitter->setHandleWidth(1);
        splitter->setChildrenCollapsible(false);
        splitter->setStretchFactor(0, 1);
    }
    m_work = new QWidget;
    auto* work = new QVBoxLayout(m_work);
    work->setContentsMargins(0, 0, 0, 0);
    work->setSpacing(0);
    work->addWidget(m_summary);
    work->addWidget(m_overview);
    work->addWidget(m_rows, 1);
    m_pages = new QStackedWidget;
    for (QWidget* page : {static_cast<QWidget*>(m_start), static_cast<QWidget*>(m_loading), m_work})
        m_pages->addWidget(page);
    m_status = new StatusLine(*m_timeline);
    auto* central = new QWidget;
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_loadStrip);
    layout->addWidget(m_banner);
    layout->addWidget(m_autosave->bar());
    layout->addWidget(m_changes->bar());
    layout->addWidget(m_pages, 1);
    layout->addWidget(m_status);
    setCentralWidget(central);
}

void MainWindow::buildPanels() {
    const PanelContext context{m_session, m_view, m_commands, m_search};
    for (const PanelEntry& entry : builtinPanels()) {
        Panel* panel = entry.makePanel(context, nullptr);
        panel->setObjectName(QString::fromLatin1(entry.id));
        // A right-to-left interface mirrors where panels stand. What they show stays as it is: times, names
        // and figures, whose grouped digits would change places.
        panel->setLayoutDirection(Qt::LeftToRight);
        m_panels.push_back(panel);
        if (entry.home == PanelHome::Bottom) {
            m_bottom->addPanel(panel, entry.isExtra ? BottomArea::Tab::WhenOpened : BottomArea::Tab::Always);
        } else {
            m_inspector = panel;
            panel->setMinimumWidth(300);
            m_columns->addWidget(panel);
        }
    }
    m_columns->setStretchFactor(1, 0);
    m_rows->setStretchFactor(1, 0);
}

void MainWindow::connectSession() {
    connect(&m_session, &AnalysisSession::documentChanged, this, &MainWindow::showDocument);
    // All widgets change now: they are painted together, in a turn of their own.
    connect(&m_session, &AnalysisSession::documentChanged, this, [this] {
        setUpdatesEnabled(false);
        QTimer::singleShot(1, this, [this] { setUpdatesEnabled(true); });
    });
    connect(&m_session, &AnalysisSession::previewChanged, this, &MainWindow::showPreview);
    for (const auto signal :
         {&AnalysisSession::loadStarted, &AnalysisSession::loadEnded, &AnalysisSession::failed})
        connect(&m_session, signal, this, &MainWindow::showState);
    // The registry is the receiver: it goes before the session, whose undo stack signals while it dies.
    const auto refresh = [this] { m_commands.refresh(); };
    connect(&m_session, &AnalysisSession::annotationsChanged, &m_commands, refresh);
    connect(&m_session.selection(), &SelectionModel::changed, &m_commands, refresh);
    connect(&m_view, &TimelineViewModel::historyChanged, &m_commands, refresh);
    m_summary->setAxis(m_view.axis());
    connect(&m_view, &TimelineViewModel::axisChanged, m_summary,
            [this] { m_summary->setAxis(m_view.axis()); });
    connect(&m_session.undoStack(), &QUndoStack::indexChanged, &m_commands, refresh);
    connect(&m_view, &TimelineViewModel::invalidated, m_timeline, [this] { // a callout may have been selected
        if (QAction* edit = m_commands.action(u"annotate.edit"_s);
            edit->isEnabled() != m_callouts->hasSelected())
            m_commands.refresh();
    });
    auto* carried = new CarriedFigure(m_view, this);
    connect(m_timeline, &TimelineView::rangeCarriedOut, carried,
            [this, carried] { carried->carry(m_theme.palette().theme(), m_timeline); });
    connect(carried, &CarriedFigure::said, this,
            [this](const QString& what) { m_status->showMessage(what); });
    connect(&m_session, &AnalysisSession::failed, this, &MainWindow::askForMember);
    connect(m_overview, &OverviewStrip::gapClicked, this,
            [this](GapId gap) { m_view.goTo(gap, Origin::Overview); });
    connect(m_summary, &SummaryStrip::notesRequested, this, &MainWindow::showNotes);
    connect(m_start, &StartPage::openRequested, this, &MainWindow::chooseFile);
    connect(m_start, &StartPage::fileRequested, this, [this](const QString& path) { open(path); });
    connect(m_start, &StartPage::againRequested, this, &MainWindow::openAgain);
    connect(m_start, &StartPage::stepsRequested, this, &MainWindow::chooseSteps);
    connect(&m_session, &AnalysisSession::surveyed, this, &MainWindow::askForStretch);
    connect(m_start, &StartPage::sampleRequested, this, &MainWindow::openSample);
    connect(m_start, &StartPage::clearRecentRequested, this, [this] {
        m_state.clearRecent();
        showState();
    });
    connect(&m_workspace, &WorkspaceControl::saved, this,
            [this](const QString& file) { m_status->showMessage(tr("%1 is written.").arg(file)); });
    for (const auto message :
         {&WorkspaceControl::failed, &WorkspaceControl::isOfAnotherTrace, &WorkspaceControl::openedReadOnly})
        connect(&m_workspace, message, this, [this](const QString& what) { tell(what); });
    connect(&m_commands, &CommandRegistry::keysChanged, this,
            [this] { m_state.saveKeys(m_commands.keyChanges()); });
    connect(m_banner, &Banner::actionClicked, this, [this] {
        if (const auto does = m_bannerDoes)
            does();
    });
    connect(m_banner, &Banner::dismissed, this, [this] {
        if (m_tellsRanks)
            m_ranksKnown = m_session.document()->path;
        m_session.dismissFailure();
    });
    connect(&OpenTraces::of(m_session), &OpenTraces::changed, this, [this] {
        if (m_tellsRanks) // else another message, or one that was dismissed, would come back
            showState();
    });
    connect(&m_theme, &ThemeControl::changed, this, &MainWindow::applyTheme);
}

// --- what is shown

void MainWindow::open(const QString& path, const std::string& target, const QString& member) {
    if (KernelControl::isNcuFile(path)) {
        m_kernels->openNcuFile(path);
        return;
    }
    if (FolderControl::isFolder(path)) {
        findChild<FolderControl*>()->open(path);
        return;
    }
    const bool isWorkspace = WorkspaceControl::isWorkspace(path);
    const bool isHere =
        m_session.document() != nullptr &&
        (isWorkspace ? m_workspace.isOfOpenTrace(path)
                     : m_session.document()->path == path && m_session.document()->member == member);
    if (m_openElsewhere && m_session.document() != nullptr && !isHere) {
        m_openElsewhere(path, target, member);
        return;
    }
    if (!mayLoseCallouts())
        return;
    if (isWorkspace) {
        openWorkspace(path, {}, target, member);
        return;
    }
    m_archive.cancel();
    m_goTo = target;
    m_workspace.forgetWaiting();
    m_session.open(path, member);
}

void MainWindow::openWorkspace(const QString& file, const QString& trace, const std::string& target,
                               const QString& member) {
    QStringList places;
    for (const RecentFile& recent : m_state.recentFiles())
        places << recent.path;
    m_workspace.forgetWaiting();
    const auto found = m_workspace.read(file, trace, places);
    if (!found) {
        tell(tr("%1 could not be opened: %2").arg(displayName(file), text(found.error().detail)),
             text(found.error().remedy), tr("Open another..."), [this] { chooseFile(); });
        return;
    }
    m_archive.cancel();
    m_goTo = target;
    m_session.open(found->path, member.isEmpty() ? found->member : member);
}

// What could not be opened may be an archive with several traces: then one can be chosen.
void MainWindow::askForMember() {
    const auto& failure = m_session.failure();
    if (!failure || failure->error.code != Errc::Unsupported)
        return;
    using Members = std::vector<ArchiveMember>;
    m_archive.start<Members>(
        [file = failure->path.toStdString()](JobControl& job) { return listMembers(file, job); },
        [this, path = failure->path](const Result<Members>& members) {
            if (!members || members->size() < 2)
                return;
            auto* dialog = new MemberDialog(
                displayName(path), *members,
                m_openElsewhere ? MemberDialog::Choice::Several : MemberDialog::Choice::One, this);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->setWindowModality(Qt::WindowModal);
            connect(dialog, &MemberDialog::chosen, this, [this, path](const QStringList& chosen) {
                open(path, std::string(m_goTo), chosen.front());
                for (qsizetype i = 1; i < chosen.size(); ++i) // each in a tab of its own
                    m_openElsewhere(path, {}, chosen[i]);
            });
            dialog->show();
        });
}

void MainWindow::showDocument() {
    const Document* document = m_session.document();
    if (document != nullptr) {
        const auto notes = static_cast<int>(document->notes.size());
        if (document->path != u"-") {
            m_state.addRecent({document->path, QDateTime::currentDateTime(), notes});
            m_folder = QFileInfo(document->path).absolutePath();
        }
    }
    setWindowTitle(document == nullptr ? tr("Lacuna") : tr("Lacuna — %1").arg(titleOf(*document)));
    showState();
    m_workspace.documentChanged();
    if (document == nullptr)
        return;
    goToPlace(m_goTo);
    m_goTo.clear();
    m_timeline->setFocus();
}

void MainWindow::goToPlace(const std::string& place) {
    if (!place.empty())
        if (const QString message = goTo(place, m_view); !message.isEmpty())
            m_status->showMessage(message);
}

// What is read so far: the timeline can be looked at, all else waits for the whole.
void MainWindow::showPreview() {
    const bool isFirst = m_pages->currentWidget() != m_work;
    setWindowTitle(tr("Lacuna — %1").arg(titleOf(*m_session.shown())));
    showState();
    if (isFirst)
        m_timeline->setFocus();
}

void MainWindow::showState() {
    m_banner->hide();
    m_tellsRanks = false;
    if (m_session.isPreview()) {
        m_pages->setCurrentWidget(m_work);
    } else if (m_session.document() != nullptr) {
        m_pages->setCurrentWidget(m_work);
        if (m_session.failure())
            showFailure();
        else
            showWorstNote();
    } else if (m_session.isLoading()) {
        m_pages->setCurrentWidget(m_loading);
    } else {
        m_start->show(m_session.failure(), m_state.recentFiles(), sampleTraces());
        m_pages->setCurrentWidget(m_start);
    }
    m_commands.refresh();
}

void MainWindow::applyTheme() {
    const ThemePalette& palette = m_theme.palette();
    m_summary->setThemePalette(palette);
    m_overview->setThemePalette(palette);
    m_finder->setThemePalette(palette);
    if (m_hints != nullptr)
        m_hints->setThemePalette(palette);
    m_timeline->setThemePalette(palette);
    m_status->setThemePalette(palette);
    m_start->setThemePalette(palette);
    m_loading->setThemePalette(palette);
    m_loadStrip->setThemePalette(palette);
    m_banner->setThemePalette(palette);
    m_autosave->bar()->setThemePalette(palette);
    m_changes->bar()->setThemePalette(palette);
    for (Panel* panel : m_panels)
        panel->setThemePalette(palette);
}

// --- panels

bool MainWindow::isInspectorShown() const {
    return m_narrow ? !m_bottom->isHidden() && m_bottom->current() == m_inspector : m_inspectorShown;
}

void MainWindow::setInspectorShown(bool shown) {
    if (m_narrow) {
        m_bottom->setVisible(shown);
        m_bottom->showPanel(m_inspector);
    } else {
        m_inspectorShown = shown;
        m_inspector->setVisible(shown);
    }
}

// Narrow windows have no room beside the timeline: the inspector is a tab below.
void MainWindow::placeInspector() {
    const bool narrow = width() < kNarrow;
    if (narrow == m_narrow)
        return;
    m_narrow = narrow;
    if (narrow) {
        m_bottom->addPanel(m_inspector);
        m_inspector->show();
    } else {
        m_bottom->removePanel(m_inspector);
        m_columns->addWidget(m_inspector);
        m_inspector->setVisible(m_inspectorShown);
        m_columns->setSizes({std::max(1, width() - kInspectorWidth), kInspectorWidth});
    }
    m_commands.refresh();
}

void MainWindow::togglePanel(bool inspector) {
    if (inspector)
        setInspectorShown(!isInspectorShown());
    else
        m_bottom->setVisible(m_bottom->isHidden());
}

void MainWindow::addHints() {
    m_hints = new HintBar(m_session, m_view, m_commands, [this] { m_state.setHintsDone(); });
    auto* layout = static_cast<QVBoxLayout*>(centralWidget()->layout());
    layout->insertWidget(layout->indexOf(m_status), m_hints);
}

void MainWindow::showPanel(const QString& id) {
    m_bottom->show();
    m_bottom->showPanel(panel(id));
    m_commands.refresh();
}

void MainWindow::focusInspector() {
    m_view.openFans(); // Enter opens what is selected: its arrows too
    if (!isInspectorShown())
        setInspectorShown(true);
    m_inspector->takeFocus();
}

void MainWindow::nextRegion(int direction) {
    struct Region {
        QWidget* widget;
        std::function<void()> enter;
    };
    std::vector<Region> regions{
        {m_summary,
         [this] { m_summary->findChild<QWidget*>(u"notesButton"_s)->setFocus(Qt::TabFocusReason); }},
        {m_overview, [this] { m_overview->setFocus(Qt::TabFocusReason); }},
        {m_timeline, [this] { m_timeline->setFocus(Qt::TabFocusReason); }}};
    if (QWidget& strip = m_steps->strip(); strip.isVisible())
        regions.insert(regions.begin() + 2, {&strip, [&strip] { strip.setFocus(Qt::TabFocusReason); }});
    if (!m_narrow && isInspectorShown())
        regions.push_back({m_inspector, [this] { m_inspector->takeFocus(); }});
    if (!m_bottom->isHidden())
        regions.push_back({m_bottom, [this] { m_bottom->current()->takeFocus(); }});
    const QWidget* focus = QApplication::focusWidget();
    const auto count = static_cast<int>(regions.size());
    int now = direction > 0 ? -1 : 0;
    for (int i = 0; i < count; ++i)
        if (const QWidget* widget = regions[static_cast<std::size_t>(i)].widget;
            focus != nullptr && (focus == widget || widget->isAncestorOf(focus)))
            now = i;
    regions[static_cast<std::size_t>((now + direction + count) % count)].enter();
}

// --- window

void MainWindow::restoreLayout() {
    const WindowLayout layout = m_state.layout();
    m_theme.choose(layout.theme);
    m_theme.setReducedMotion(layout.reducedMotion);
    setPlainWheelZooms(layout.plainWheelZooms);
    m_status->setFrameTimes(layout.frameTimes);
    resize(kDefaultSize);
    if (!layout.geometry.isEmpty())
        restoreGeometry(layout.geometry);
    m_rows->setSizes(layout.rows.size() == 2 ? layout.rows
                                             : QList<int>{height() - kBottomHeight, kBottomHeight});
    m_columns->setSizes(layout.columns.size() == 2 ? layout.columns
                                                   : QList<int>{width() - kInspectorWidth, kInspectorWidth});
    m_inspectorShown = layout.inspectorShown;
    m_inspector->setVisible(layout.inspectorShown);
    m_bottom->setVisible(layout.bottomShown);
    placeInspector();
}

WindowLayout MainWindow::currentLayout() const {
    WindowLayout layout = m_state.layout();
    layout.geometry = saveGeometry();
    if (m_work->isVisible() && !m_bottom->isHidden())
        layout.rows = m_rows->sizes();
    if (m_work->isVisible() && !m_narrow && m_inspectorShown)
        layout.columns = m_columns->sizes();
    layout.inspectorShown = m_inspectorShown;
    layout.bottomShown = !m_bottom->isHidden();
    layout.theme = m_theme.choice();
    layout.reducedMotion = m_theme.isMotionChosen();
    layout.plainWheelZooms = m_plainWheelZooms;
    layout.frameTimes = m_status->hasFrameTimes();
    return layout;
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    placeInspector();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayLoseCallouts()) {
        event->ignore();
        return;
    }
    m_autosave->forget();
    m_state.saveLayout(currentLayout());
    m_session.cancelOpen();
    event->accept();
}

void MainWindow::leave() {
    m_autosave->writeBeforeLeaving();
    m_state.saveLayout(currentLayout());
    m_session.cancelOpen();
}

bool MainWindow::mayLoseCallouts() {
    const bool isNothingSaid = m_session.annotations().isEmpty() &&
                               SessionSettings::of(m_session).ofTrace().empty() &&
                               TraceLog::of(m_session).entries().empty();
    return isNothingSaid || m_session.undoStack().isClean() || m_askLoss();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    // A figure that was dragged out and came back is not opened.
    if (event->source() == nullptr && !localFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QStringList files = localFiles(event->mimeData());
    if (files.isEmpty())
        return;
    event->acceptProposedAction();
    open(files.front());
    for (qsizetype i = 1; i < files.size() && m_openElsewhere; ++i) // each in a tab of its own
        m_openElsewhere(files[i], {}, {});
}

} // namespace lacuna::ui
