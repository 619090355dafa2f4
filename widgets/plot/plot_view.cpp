#include "widgets/plot/plot_view.h"

#include "widgets/plot/plot_output.h"

#include <QHelpEvent>
#include <QLineF>
#include <QPainter>
#include <QToolTip>

namespace lacuna::ui {

namespace {
constexpr double kNear = 4; // px around a dot
} // namespace

PlotView::PlotView(Maker make, int height, QWidget* parent)
    : QWidget(parent), m_make(std::move(make)), m_fonts(FigureFonts::load()) {
    setFixedHeight(height);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

const PlotScene& PlotView::scene() {
    if (m_scene.size != size() && !size().isEmpty()) {
        m_scene = m_make(size(), m_fonts);
        setAccessibleName(m_scene.title);
        setAccessibleDescription(m_scene.description);
    }
    return m_scene;
}

void PlotView::remake() {
    m_scene = {};
    update();
}

void PlotView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPlot(painter, scene(), m_fonts);
}

bool PlotView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString tip;
    for (const auto& item : scene().items)
        if (const auto* dot = std::get_if<PlotDot>(&item);
            dot != nullptr && QLineF(dot->centre, help->pos()).length() <= dot->radius + kNear)
            tip = dot->tip;
    QToolTip::showText(help->globalPos(), tip.toHtmlEscaped(), this);
    return true;
}

} // namespace lacuna::ui
