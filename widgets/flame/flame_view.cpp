#include "widgets/flame/flame_view.h"

#include "core/base/text_format.h"
#include "core/view/short_name.h"
#include "widgets/text.h"
#include "widgets/timeline/paint_context.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

constexpr double kPitch = 19, kHeight = 18, kTop = 4, kSide = 8, kPad = 5, kMinPx = 1, kMinLabelPx = 22;

} // namespace

FlameView::FlameView(QWidget* parent) : QWidget(parent) {
    setObjectName(u"flameView"_s);
    setAccessibleName(tr("Flame graph"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void FlameView::setThemePalette(const ThemePalette& palette) {
    m_palette = palette;
    update();
}

void FlameView::setGraph(std::shared_ptr<const Trace> trace, std::shared_ptr<const FlameGraph> graph) {
    m_trace = std::move(trace);
    m_graph = std::move(graph);
    m_focus = m_current = 0;
    invalidate();
}

void FlameView::setWeight(FlameWeight by, bool widestFirst) {
    m_weight = by;
    m_widestFirst = widestFirst;
    invalidate();
}

void FlameView::setRootTitle(const QString& title) {
    m_rootTitle = title;
    update();
}

void FlameView::invalidate() {
    m_valid = false;
    std::uint32_t levels = 0;
    for (const FlameBox& box : boxes())
        levels = std::max(levels, box.level + 1);
    setMinimumHeight(static_cast<int>(2 * kTop + kPitch * levels));
    update();
}

const std::vector<FlameBox>& FlameView::boxes() {
    if (!m_valid) {
        m_valid = true;
        m_boxes = m_graph == nullptr
                      ? std::vector<FlameBox>()
                      : layOutFlames(*m_graph, m_weight, m_focus, std::max(1.0, width() - 2 * kSide), kMinPx,
                                     m_widestFirst);
    }
    return m_boxes;
}

QRectF FlameView::rectOf(const FlameBox& box) const {
    const double x0 = std::round(kSide + box.x0), x1 = std::round(kSide + box.x1);
    return {x0, kTop + kPitch * box.level, std::max(1.0, x1 - x0), kHeight};
}

const FlameBox* FlameView::boxAt(QPointF at) {
    for (const FlameBox& box : boxes())
        if (rectOf(box).contains(at))
            return &box;
    return nullptr;
}

const FlameBox* FlameView::boxOf(std::uint32_t node) {
    for (const FlameBox& box : boxes())
        if (box.node == node)
            return &box;
    return nullptr;
}

QString FlameView::nameOf(std::uint32_t node) const {
    return node == 0 ? m_rootTitle : text(m_trace->strings().view(m_graph->nodes[node].name));
}

QString FlameView::describe(std::uint32_t node) const {
    const FlameNode& of = m_graph->nodes[node];
    const FlameNode& root = m_graph->nodes[0];
    const auto share = [](std::int64_t part, std::int64_t whole) {
        return whole <= 0
                   ? QString()
                   : u" ("_s + text(formatPercent(static_cast<double>(part) / static_cast<double>(whole))) +
                         u')';
    };
    QStringList lines{nameOf(node)};
    lines << tr("host %1%2").arg(text(formatDuration({of.hostNs})), share(of.hostNs, root.hostNs));
    lines << tr("self %1%2").arg(text(formatDuration({of.selfNs})), share(of.selfNs, root.hostNs));
    lines << tr("GPU %1%2").arg(text(formatDuration({of.deviceNs})), share(of.deviceNs, root.deviceNs));
    if (node != 0)
        lines << tr("%n call(s)", nullptr, static_cast<int>(std::min<std::uint64_t>(of.rows, 1'000'000'000)));
    return lines.join(u'\n');
}

void FlameView::paintBox(QPainter& painter, const FlameBox& box) const {
    const FlameNode& node = m_graph->nodes[box.node];
    const QRectF rect = rectOf(box);
    const Ink ink = inkOfKind(node.kind);
    const bool isRoot = box.node == 0;
    const QRgb fill = isRoot ? m_palette.ink(Ink::Window) : m_palette.ink(ink);
    painter.fillRect(rect.width() > 3 ? rect.adjusted(0, 0, -1, 0) : rect, QColor::fromRgb(fill));
    if (box.node == m_current)
        strokeInside(painter, rect.adjusted(-1, -1, 0, 1), 2, m_palette.ink(Ink::Selection));
    const double room = rect.width() - 2 * kPad;
    if (room < kMinLabelPx)
        return;
    const TextStyle style = m_fonts.style(Face::Medium, 11.5);
    QString label = isRoot ? m_rootTitle : QString();
    if (!isRoot)
        for (const std::string& form : shortNames(m_trace->strings().view(node.name), node.kind)) {
            label = text(form);
            if (style.width(label) <= room)
                break;
        }
    style.draw(painter, {rect.left() + kPad, style.baselineCentredOn(rect.center().y())},
               style.elided(label, room), isRoot ? m_palette.ink(Ink::Text) : m_palette.labelOn(ink));
}

void FlameView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    painter.fillRect(rect(), m_palette.color(Ink::Ground));
    const QRectF exposed = event->rect();
    for (const FlameBox& box : boxes())
        if (rectOf(box).adjusted(-2, -2, 2, 2).intersects(exposed))
            paintBox(painter, box);
    if (hasFocus()) {
        painter.setPen(QPen(m_palette.color(Ink::Selection), 1, Qt::DotLine));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void FlameView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_valid = false;
}

void FlameView::focusOn(std::uint32_t node) {
    if (m_graph == nullptr || node >= m_graph->nodes.size())
        return;
    m_focus = node;
    invalidate();
}

void FlameView::choose(std::uint32_t node) {
    m_current = node;
    setAccessibleDescription(describe(node));
    update();
    Q_EMIT chosen(node);
}

void FlameView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    if (const FlameBox* box = boxAt(event->position()))
        choose(box->node);
}

void FlameView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const FlameBox* box = boxAt(event->position()))
        focusOn(box->node == m_focus ? m_graph->nodes[m_focus].parent : box->node);
}

// To the box above, the widest below, or the one beside on the same level.
void FlameView::walk(int key) {
    const FlameBox* now = boxOf(m_current);
    if (now == nullptr)
        return choose(m_focus);
    const FlameBox from = *now;
    const FlameBox* best = nullptr;
    for (const FlameBox& box : boxes()) {
        const bool isBelow = box.level == from.level + 1 && m_graph->nodes[box.node].parent == from.node;
        const bool isBeside =
            box.level == from.level && (key == Qt::Key_Left ? box.x0 < from.x0 : box.x0 > from.x0);
        if (key == Qt::Key_Down && isBelow && (best == nullptr || box.x1 - box.x0 > best->x1 - best->x0))
            best = &box;
        if (key == Qt::Key_Left && isBeside && (best == nullptr || box.x0 > best->x0))
            best = &box;
        if (key == Qt::Key_Right && isBeside && (best == nullptr || box.x0 < best->x0))
            best = &box;
    }
    if (key == Qt::Key_Up && m_current != m_focus)
        best = boxOf(m_graph->nodes[m_current].parent);
    if (best != nullptr)
        choose(best->node);
}

void FlameView::keyPressEvent(QKeyEvent* event) {
    if (m_graph == nullptr)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        walk(event->key());
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        focusOn(m_current);
        break;
    case Qt::Key_Backspace:
        focusOut();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool FlameView::event(QEvent* event) {
    // Backspace is the timeline's way back as well; here it is this view's.
    if (event->type() == QEvent::ShortcutOverride &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Backspace) {
        event->accept();
        return true;
    }
    if (event->type() != QEvent::ToolTip || m_graph == nullptr)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const FlameBox* box = boxAt(help->pos()))
        QToolTip::showText(help->globalPos(), describe(box->node), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace lacuna::ui
