#include "app/bottom_area.h"

#include "widgets/panels/panel.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace lacuna::ui {

namespace {
constexpr int kBarHeight = 28, kBarMargin = 8;
} // namespace

BottomArea::BottomArea(QWidget* parent)
    : QWidget(parent), m_tabs(new QTabBar), m_barWidget(new QWidget), m_bar(new QHBoxLayout),
      m_second(new QHBoxLayout), m_stack(new QStackedWidget) {
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
    m_bar->addWidget(m_tabs);
    m_bar->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_barWidget);
    layout->addWidget(m_stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &BottomArea::showCurrent);
}

bool BottomArea::holds(const Panel* panel) const {
    return std::find(m_panels.begin(), m_panels.end(), panel) != m_panels.end();
}

Panel* BottomArea::current() const {
    return static_cast<Panel*>(m_stack->currentWidget());
}

void BottomArea::addPanel(Panel* panel) {
    if (holds(panel))
        return;
    m_panels.push_back(panel);
    m_stack->addWidget(panel);
    if (QWidget* tools = panel->tabTools())
        m_bar->addWidget(tools);
    m_tabs->addTab(panel->title());
    showCurrent(m_tabs->currentIndex());
}

void BottomArea::removePanel(Panel* panel) {
    const auto at = std::find(m_panels.begin(), m_panels.end(), panel);
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
    const auto at = std::find(m_panels.begin(), m_panels.end(), panel);
    if (at != m_panels.end())
        m_tabs->setCurrentIndex(static_cast<int>(at - m_panels.begin()));
}

void BottomArea::showCurrent(int index) {
    for (std::size_t i = 0; i < m_panels.size(); ++i)
        if (QWidget* tools = m_panels[i]->tabTools())
            tools->setVisible(static_cast<int>(i) == index);
    if (index >= 0 && static_cast<std::size_t>(index) < m_panels.size())
        m_stack->setCurrentWidget(m_panels[static_cast<std::size_t>(index)]);
    placeTools();
}

// Tabs are not cut for the tools.
void BottomArea::placeTools() {
    QWidget* tools = current() == nullptr ? nullptr : current()->tabTools();
    const int needed = 2 * kBarMargin + m_tabs->sizeHint().width() +
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
