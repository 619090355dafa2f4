#include "app/bottom_area.h"

#include "widgets/panels/panel.h"
#include "widgets/text.h"
#include "widgets/theme/widget_fonts.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace lacuna::ui {

namespace {
constexpr int kBarHeight = 28;
} // namespace

BottomArea::BottomArea(QWidget* parent)
    : QWidget(parent), m_tabs(new QTabBar), m_bar(nullptr), m_stack(new QStackedWidget) {
    setObjectName(u"bottomArea"_s);
    auto* bar = new QWidget;
    bar->setObjectName(u"bottomBar"_s);
    bar->setFixedHeight(kBarHeight);
    bar->setAutoFillBackground(true);
    m_bar = new QHBoxLayout(bar);
    m_bar->setContentsMargins(8, 0, 0, 0);
    m_bar->setSpacing(8);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setFont(uiFont(Face::Regular, 12.5));
    m_tabs->setAccessibleName(tr("Panels"));
    m_bar->addWidget(m_tabs);
    m_bar->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar);
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
}

} // namespace lacuna::ui
