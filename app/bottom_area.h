#pragma once
// The panels below the timeline: a tab each, with the tools of the shown one at the right end of the bar, or
// in a row of their own where both do not fit beside each other. Tabs are never cut: those for which there is
// no room, and those of panels that were not opened yet and need not have one, stand in a list behind the
// last.

#include <QWidget>

#include <cstdint>
#include <vector>

class QHBoxLayout;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace lacuna::ui {

class Panel;

class BottomArea : public QWidget {
    Q_OBJECT
public:
    explicit BottomArea(QWidget* parent = nullptr);
    enum class Tab : std::uint8_t { Always, WhenOpened };
    // Takes it over; nothing when it is here already.
    void addPanel(Panel* panel, Tab tab = Tab::Always);
    void removePanel(Panel* panel); // hands it back without parent
    void showPanel(Panel* panel);
    bool holds(const Panel* panel) const;
    Panel* current() const;
    // Without a tab at present, in the order of the list.
    std::vector<Panel*> listed() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void showCurrent(int index);
    void placeTabs();
    void placeTools();
    void fillMore();

    struct Entry {
        Panel* panel;
        bool wantsTab; // from the start, or since it was opened
    };
    class TabBar;
    TabBar* m_tabs;
    QToolButton* m_more;
    QWidget* m_barWidget;
    QHBoxLayout *m_bar, *m_second; // first row: tabs, and tools where they fit; second: else
    QStackedWidget* m_stack;
    std::vector<Entry> m_panels; // beside the tabs
};

} // namespace lacuna::ui
