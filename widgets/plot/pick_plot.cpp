#include "widgets/plot/pick_plot.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPen>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace lacuna::ui {

PickPlot::PickPlot(PickMaker make, int height, QWidget* parent)
    : PickPlot(std::move(make), std::make_shared<std::vector<PlotPick>>(), height, parent) {}

PickPlot::PickPlot(PickMaker make, const Picks& picks, int height, QWidget* parent)
    : PlotView(
          [make = std::move(make), picks](QSize size, const FigureFonts& fonts) {
              PickScene made = make(size, fonts);
              *picks = std::move(made.picks);
              return std::move(made.scene);
          },
          height, parent),
      m_picks(picks) {
    setFocusPolicy(Qt::TabFocus);
}

const std::vector<PlotPick>& PickPlot::picks() {
    scene();
    return *m_picks;
}

const PlotPick* PickPlot::pickAt(QPointF at) {
    const auto& all = picks();
    const auto found =
        std::find_if(all.begin(), all.end(), [at](const PlotPick& pick) { return pick.area.contains(at); });
    return found == all.end() ? nullptr : &*found;
}

void PickPlot::paintEvent(QPaintEvent* event) {
    PlotView::paintEvent(event);
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1, Qt::DotLine));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    if (!m_place || *m_place >= picks().size())
        return;
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
    painter.drawRect(picks()[*m_place].area.adjusted(-0.5, 0, 0.5, 0));
}

void PickPlot::mousePressEvent(QMouseEvent* event) {
    const PlotPick* pick = event->button() == Qt::LeftButton ? pickAt(event->position()) : nullptr;
    if (pick == nullptr)
        return;
    m_place = static_cast<std::size_t>(pick - picks().data());
    Q_EMIT picked(pick->item); // last: who hears it may take this widget away
}

void PickPlot::keyPressEvent(QKeyEvent* event) {
    const std::size_t count = picks().size();
    const bool isStep = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (count == 0 || !(isStep || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        return PlotView::keyPressEvent(event);
    if (!m_place || *m_place >= count)
        m_place = 0;
    else if (event->key() == Qt::Key_Left)
        m_place = *m_place == 0 ? 0 : *m_place - 1;
    else if (event->key() == Qt::Key_Right)
        m_place = std::min(count - 1, *m_place + 1);
    setAccessibleDescription(picks()[*m_place].tip);
    update();
    if (!isStep)
        Q_EMIT picked(picks()[*m_place].item);
}

bool PickPlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return PlotView::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const PlotPick* pick = pickAt(help->pos());
    QToolTip::showText(help->globalPos(), pick == nullptr ? QString() : pick->tip.toHtmlEscaped(), this);
    return true;
}

} // namespace lacuna::ui
