#pragma once
// The window of the program: one tab a file, each with its own session, view, selection, undo and panels. One
// file alone shows no tab bar. What is opened while a trace is open gets a tab of its own.

#include "app/open_work.h"
#include "app/single_instance.h"
#include "app/window_state.h"

#include <QMainWindow>

#include <memory>
#include <string>
#include <vector>

class QStackedWidget;
class QTabBar;

namespace lacuna::ui {

class MainWindow;
class ThemeControl;

// What the tabs of another window held, to be shown again by this one.
struct OpenTabs {
    std::vector<std::unique_ptr<OpenWork>> pages;
    int shown = 0;
    QSize size; // of the window, device-independent at 100 %; invalid when maximised
};

class DocumentTabs : public QMainWindow {
    Q_OBJECT
public:
    using Work = OpenTabs;
    DocumentTabs(WindowState state, ThemeControl& theme, Work work = {}, QWidget* parent = nullptr);
    ~DocumentTabs() override;

    // In the present tab when it is empty, else in a new one; goTo and member as in WindowOptions.
    void open(const QString& path, const std::string& goTo = {}, const QString& member = {});
    // Everything that another start asked for; the window comes to the front.
    void take(const Handover& handover);

    int count() const;
    MainWindow* page(int index) const;
    MainWindow* current() const;
    void show(int index);
    // Asks about callouts that would be lost; false when the tab stays. The last tab is emptied, not removed.
    bool closeTab(int index);
    // Keeps what is unsaved of every page, without a question.
    void leave();
    // All that is open; this window must go next.
    Work takeWork();

Q_SIGNALS:
    void textSizeChanged(); // it is in the settings; the window has to be made anew

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    MainWindow* addPage(std::unique_ptr<OpenWork> work = nullptr);
    MainWindow* emptyPage();
    void step(int direction);
    void refresh();
    void tellOthers();

    WindowState m_state;
    ThemeControl& m_theme;
    QTabBar* m_bar;
    QStackedWidget* m_stack;
    int m_textPercent; // that this window was made with
};

} // namespace lacuna::ui
