#include "app/bottom_area.h"

#include "widgets/panels/panel.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace lacuna::ui {

namespace {
constexpr int kBarHeight = 28, kBarMargin = 8, kTarget = 24;
} // namespace

class BottomArea::TabBar : public QTabBar {
public:
    using QTabBar::QTabBar;
    int widthOf(int index) const { return tabSizeHint(index).width(); } // shown or not
};

BottomArea::BottomArea(QWidget* parent)
    : QWidget(parent), m_tabs(new TabBar), m_more(new QToolButton), m_barWidget(new QWidget),
      m_bar(new QHBoxLayout), m_second(new QHBoxLayout), m_stack(new QStackedWidget) {
    setObjectName(u"bottomArea"_s);
    m_barWidget->setObjectName(u"bottomBar"_s);
    m_barWidget->setFixedHeight(kBarHeight);
    m_barWidget->setAutoFillBackground(true);
    auto* rows = new QVBoxLayout(m_barWidget);
    rows->setContentsMargins(kBarMargin, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(m_bar, 1);
    rows->addLayout(m_second, 1);
    m_bar->setSpacing(kBarMargin);
    m_second->addStretch(1);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setFont(uiFont(Face::Regular, 12.5));
    m_tabs->setAccessibleName(tr("Panels"));
    m_more->setObjectName(u"morePanels"_s);
    m_more->setText(tr("More"));
    m_more->setAccessibleName(tr("More panels"));
    m_more->setFont(m_tabs->font());
    m_more->setAutoRaise(true);
    m_more->setFocusPolicy(Qt::TabFocus);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMinimumSize(kTarget, kTarget);
    auto* menu = new QMenu(m_more);
    m_more->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &BottomArea::fillMore);
    m_bar->addWidget(m_tabs);
    m_bar->addWidget(m_more, 0, Qt::AlignVCenter);
    m_bar->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_barWidget);
    layout->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &BottomArea::showCurrent);
}

bool BottomArea::holds(const Panel* panel) const {
    return std::any_of(m_panels.begin(), m_panels.end(),
                       [panel](const Entry& entry) { return entry.panel == panel; });
}

Panel* BottomArea::current() const {
    return static_cast<Panel*>(m_stack->currentWidget());
}

void BottomArea::addPanel(Panel* panel, Tab tab) {
    if (holds(panel))
        return;
    m_panels.push_back({panel, tab == Tab::Always});
    m_stack->addWidget(panel);
    if (QWidget* tools = panel->tabTools())
        m_bar->addWidget(tools);
    m_tabs->addTab(panel->title());
    showCurrent(m_tabs->currentIndex());
}

void BottomArea::removePanel(Panel* panel) {
    const auto at = std::find_if(m_panels.begin(), m_panels.end(),
                                 [panel](const Entry& entry) { return entry.panel == panel; });
    if (at == m_panels.end())
        return;
    const auto index = static_cast<int>(at - m_panels.begin());
    m_panels.erase(at);
    m_stack->removeWidget(panel);
    panel->setParent(nullptr);
    m_tabs->removeTab(index);
    showCurrent(m_tabs->currentIndex());
}

void BottomArea::showPanel(Panel* panel) {
    for (std::size_t i = 0; i < m_panels.size(); ++i)
        if (m_panels[i].panel == panel)
            m_tabs->setCurrentIndex(static_cast<int>(i));
}

void BottomArea::showCurrent(int index) {
    for (std::size_t i = 0; i < m_panels.size(); ++i)
        if (QWidget* tools = m_panels[i].panel->tabTools())
            tools->setVisible(static_cast<int>(i) == index);
    if (index >= 0 && static_cast<std::size_t>(index) < m_panels.size()) {
        Entry& entry = m_panels[static_cast<std::size_t>(index)];
        entry.wantsTab = true;
        m_stack->setCurrentWidget(entry.panel);
    }
    placeTabs();
    placeTools();
}

std::vector<Panel*> BottomArea::listed() const {
    std::vector<Panel*> panels;
    for (std::size_t i = 0; i < m_panels.size(); ++i)
        if (!m_tabs->isTabVisible(static_cast<int>(i)))
            panels.push_back(m_panels[i].panel);
    return panels;
}

// As many of the tabs that are wanted as there is room for, the shown one among them.
void BottomArea::placeTabs() {
    const int current = m_tabs->currentIndex();
    std::vector<int> shown;
    int needed = 0;
    for (int i = 0; i < m_tabs->count(); ++i)
        if (m_panels[static_cast<std::size_t>(i)].wantsTab) {
            shown.push_back(i);
            needed += m_tabs->widthOf(i);
        }
    const int more = m_more->sizeHint().width() + 2 * kBarMargin;
    int room = width() - 2 * kBarMargin;
    if (static_cast<int>(shown.size()) < m_tabs->count() || needed > room)
        room -= more;
    for (std::size_t i = shown.size(); i > 1 && needed > room; --i)
        if (const int last = shown[i - 1]; last != current) {
            needed -= m_tabs->widthOf(last);
            shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(i) - 1);
        }
    bool isChanged = false;
    for (int i = 0; i < m_tabs->count(); ++i) {
        const bool isShown = std::find(shown.begin(), shown.end(), i) != shown.end();
        if (isShown == m_tabs->isTabVisible(i))
            continue; // Qt 6.4 takes a change that is none for a reason not to lay out the tabs
        m_tabs->setTabVisible(i, isShown);
        isChanged = true;
    }
    m_more->setVisible(static_cast<int>(shown.size()) < m_tabs->count());
    if (isChanged)
        m_tabs->updateGeometry();
}

void BottomArea::fillMore() {
    QMenu* menu = m_more->menu();
    menu->clear();
    for (Panel* panel : listed())
        connect(menu->addAction(panel->title().replace(u'&', u"&&"_s)), &QAction::triggered, this,
                [this, panel] {
                    showPanel(panel);
                    panel->takeFocus();
                });
}

// Tabs are not cut for the tools.
void BottomArea::placeTools() {
    QWidget* tools = current() == nullptr ? nullptr : current()->tabTools();
    const int tabs =
        m_tabs->sizeHint().width() + (m_more->isHidden() ? 0 : m_more->sizeHint().width() + kBarMargin);
    const int needed = 2 * kBarMargin + tabs +
                       (tools == nullptr ? 0 : std::max(tools->minimumWidth(), tools->sizeHint().width()));
    const bool isSecond = tools != nullptr && needed > width();
    m_barWidget->setFixedHeight(isSecond ? 2 * kBarHeight : kBarHeight);
    QHBoxLayout* from = isSecond ? m_bar : m_second;
    if (tools != nullptr && from->indexOf(tools) >= 0) {
        from->removeWidget(tools);
        (isSecond ? m_second : m_bar)->addWidget(tools);
    }
}

void BottomArea::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeTabs();
    placeTools();
}

// Tools that grow or shrink ask for a new layout.
bool BottomArea::event(QEvent* event) {
    const bool isDone = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)
        placeTools();
    return isDone;
}

} // namespace lacuna::ui
