#pragma once
// Puts the window together: summary, overview, timeline, inspector, panels; menus and commands of the
// program. What is shown follows the session: start page, loading page or the document.

#include "app/open_work.h"
#include "app/theme_control.h"
#include "app/window_state.h"
#include "widgets/command/command_registry.h"

#include <QMainWindow>

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QSplitter;
class QStackedWidget;

namespace lacuna::ui {

class Banner;
class BottomArea;
class AutosaveControl;
class Callouts;
class ChangeWatch;
class FinderControl;
class HintBar;
class KernelControl;
class LoadingPage;
class LoadStrip;
class OverviewStrip;
class Panel;
class StartPage;
class StatusLine;
class StepControl;
class SummaryStrip;
class TimelineView;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    // `work`: what another window has handed over by takeWork(); null: nothing is open.
    MainWindow(WindowState state, ThemeControl& theme, QWidget* parent = nullptr,
               std::unique_ptr<OpenWork> work = nullptr);
    ~MainWindow() override;
    // All that is open, for a window that follows; this one must go next.
    std::unique_ptr<OpenWork> takeWork();

    // Opens a trace, or the trace of a workspace or picture ("-": standard input); goTo and member as in
    // WindowOptions, goTo applied when it is open.
    void open(const QString& path, const std::string& goTo = {}, const QString& member = {});
    // The same of a workspace or picture, with a place where its trace may be; `member` empty: as it says.
    void openWorkspace(const QString& file, const QString& trace, const std::string& goTo = {},
                       const QString& member = {});
    AnalysisSession& session() { return m_session; }
    TimelineViewModel& view() { return m_view; }
    WorkspaceControl& workspace() { return m_workspace; }
    AutosaveControl& autosave() { return *m_autosave; }
    TimelineView& timeline() { return *m_timeline; }
    CommandRegistry& commands() { return m_commands; }
    SearchSession& search() { return m_search; }
    StatusLine& statusLine() { return *m_status; }
    Panel* panel(const QString& id) const;
    // The program ends without a question (a signal, the end of the desktop session): what is unsaved is kept
    // for the next start.
    void leave();
    // As WindowOptions::goTo, on the open trace.
    void goToPlace(const std::string& place);
    // Where a trace goes that is opened while one is open; none: in the place of that one.
    using OpenElsewhere = std::function<void(const QString&, const std::string&, const QString&)>;
    void setOpenElsewhere(OpenElsewhere open) { m_openElsewhere = std::move(open); }
    // Asked before callouts would be lost; tests put their own answer here.
    void setLossQuestion(std::function<bool()> ask) { m_askLoss = std::move(ask); }

    // Called when another text size was chosen and is in the settings; none: it holds at the next start.
    void setTextSizeChanged(std::function<void()> changed) { m_textSizeChanged = std::move(changed); }

    static constexpr int kNarrow = 1200; // below it the inspector is a tab of the bottom panels

protected:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildWindow();
    void buildPanels();
    void connectSession();
    void registerCommands();
    void registerFileCommands();
    void registerViewCommands();
    void registerPanelCommands();
    void registerHelpCommands();
    int textSizeAfter(int direction) const;
    void stepTextSize(int direction);
    void setPlainWheelZooms(bool zooms);
    void fillRecent(QMenu& menu);
    void restoreLayout();
    void applyTheme();
    void showDocument();
    void showPreview();
    void showState();
    // On the banner; `does` is what its button does.
    void tell(const QString& message, const QString& detail = {}, const QString& action = {},
              std::function<void()> does = {});
    void showFailure();
    void openAgain(OpenHow how);
    void showWorstNote();
    void showStopped();
    void showStretch();
    void chooseSteps();
    void askForStretch();
    bool showCaptureWindow();
    void showRanks();
    void addRanks();
    void placeInspector();
    void togglePanel(bool inspector);
    void setInspectorShown(bool shown);
    bool isInspectorShown() const;
    void addHints();
    void showHelp(const QString& page, const QString& heading = {});
    QString helpHeading();
    void showPanel(const QString& id); // of those below
    void focusInspector();
    void nextRegion(int direction);
    void showNotes();
    void showPlace(const Issue& note);
    void copyReport();
    void askForMember();
    static QString fileFilter(); // of what can be opened
    void chooseFile();
    void exportFigure();
    void saveWorkspaceAs();
    void clearCache();
    void openSample(const QString& resource);
    bool mayLoseCallouts();
    WindowLayout currentLayout() const;

    WindowState m_state;
    ThemeControl& m_theme;
    std::unique_ptr<OpenWork> m_kept; // the four that follow
    AnalysisSession& m_session;
    TimelineViewModel& m_view;
    WorkspaceControl& m_workspace;
    SearchSession& m_search;
    CommandRegistry m_commands;
    std::function<bool()> m_askLoss;
    std::function<void()> m_textSizeChanged;
    OpenElsewhere m_openElsewhere;
    std::string m_goTo;
    bool m_inspectorShown = true, m_narrow = false, m_plainWheelZooms = false;
    QString m_folder;                   // of the last opened file
    std::function<void()> m_bannerDoes; // what the button of the banner does
    bool m_tellsRanks = false;          // the banner is about ranks
    QString m_ranksKnown;               // path of the trace whose missing ranks need not be told again

    StartPage* m_start = nullptr;
    LoadingPage* m_loading = nullptr;
    LoadStrip* m_loadStrip = nullptr;
    AutosaveControl* m_autosave = nullptr;
    Banner* m_banner = nullptr;
    QStackedWidget* m_pages = nullptr;
    QWidget* m_work = nullptr;
    SummaryStrip* m_summary = nullptr;
    OverviewStrip* m_overview = nullptr;
    TimelineView* m_timeline = nullptr;
    Callouts* m_callouts = nullptr;
    FinderControl* m_finder = nullptr;
    HintBar* m_hints = nullptr;
    BottomArea* m_bottom = nullptr;
    QSplitter *m_rows = nullptr, *m_columns = nullptr;
    StatusLine* m_status = nullptr;
    KernelControl* m_kernels = nullptr;
    QWidget* m_lanes = nullptr;
    StepControl* m_steps = nullptr;
    ChangeWatch* m_changes = nullptr;
    std::vector<Panel*> m_panels;
    Panel* m_inspector = nullptr;
    JobSlot m_archive; // lists what an archive holds; last: its destructor waits for the running job
};

} // namespace lacuna::ui
