#pragma once
// The panels below the timeline: one tab each, with the tools of the shown one at the right end of the bar,
// or in a row of their own where both do not fit beside each other.

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QStackedWidget;
class QTabBar;

namespace lacuna::ui {

class Panel;

class BottomArea : public QWidget {
    Q_OBJECT
public:
    explicit BottomArea(QWidget* parent = nullptr);
    void addPanel(Panel* panel);    // takes it over; a panel that is here already is only shown
    void removePanel(Panel* panel); // hands it back without parent
    void showPanel(Panel* panel);
    bool holds(const Panel* panel) const;
    Panel* current() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void showCurrent(int index);
    void placeTools();

    QTabBar* m_tabs;
    QWidget* m_barWidget;
    QHBoxLayout *m_bar, *m_second; // first row: tabs, and tools where they fit; second: else
    QStackedWidget* m_stack;
    std::vector<Panel*> m_panels; // beside the tabs
};

} // namespace lacuna::ui
