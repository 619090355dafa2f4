#pragma once
// The window of the program: one tab a file, each with its own session, view, selection, undo and panels. One
// file alone shows no tab bar. What is opened while a trace is open gets a tab of its own.

#include "app/single_instance.h"
#include "app/window_state.h"

#include <QMainWindow>

#include <string>

class QStackedWidget;
class QTabBar;

namespace lacuna::ui {

class MainWindow;
class ThemeControl;

class DocumentTabs : public QMainWindow {
    Q_OBJECT
public:
    DocumentTabs(WindowState state, ThemeControl& theme, QWidget* parent = nullptr);
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

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    MainWindow* addPage();
    MainWindow* emptyPage();
    void step(int direction);
    void refresh();

    WindowState m_state;
    ThemeControl& m_theme;
    QTabBar* m_bar;
    QStackedWidget* m_stack;
};

} // namespace lacuna::ui
