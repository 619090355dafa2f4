#include "core/base/text_format.h"
#include "widgets/timeline/builtin_painters.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

// A counter as an area under its value with the range of each pixel column on top.
class CounterPainter final : public LanePainter {
public:
    void paintBars(QImage& image, const LaneFrame& lane, const PaintContext& context) const override;
    void drawBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context,
                  double overlapPx) const override;
    void paintLabels(QPainter& painter, const LaneFrame& lane, const PaintContext& context) const override;
};

// The fills of a counter, device pixels, not cut to the picture: area under the value, line on top. Columns
// without a sample hold the value of the one before.
template <class Area, class Line>
void forCounterFills(const LaneFrame& lane, int width, int thickness, Area area, Line line) {
    const int top = lane.y + lane.stripTop, bottom = top + lane.stripHeight;
    const double low = std::min(0.0, lane.counterMin), high = std::max(lane.counterMax, low);
    const double span = high > low ? high - low : 1.0;
    const auto yOf = [&](double value) {
        const double share = std::clamp((value - low) / span, 0.0, 1.0);
        return bottom - 1 - static_cast<int>(std::lround(share * (lane.stripHeight - 1)));
    };
    for (std::size_t i = 0; i < lane.counter.size(); ++i) {
        const CounterPoint& point = lane.counter[i];
        const int next = i + 1 < lane.counter.size() ? lane.counter[i + 1].x : width;
        int yHigh = yOf(point.max), yLow = yOf(point.min);
        if (i > 0) { // the step from the value before
            yHigh = std::min(yHigh, yOf(lane.counter[i - 1].last));
            yLow = std::max(yLow, yOf(lane.counter[i - 1].last));
        }
        const int held = yOf(point.last);
        area(QRect(point.x, yHigh, 1, bottom - yHigh));
        line(QRect(point.x, yHigh, 1, yLow - yHigh + thickness));
        area(QRect(point.x + 1, held, next - point.x - 1, bottom - held));
        line(QRect(point.x + 1, held, next - point.x - 1, thickness));
    }
}

QRgb areaOf(const PaintContext& context) {
    return mixed(context.palette.ink(Ink::Operator), context.palette.ink(Ink::Ground), 0.25);
}

void CounterPainter::paintBars(QImage& image, const LaneFrame& lane, const PaintContext& context) const {
    const QRgb line = context.palette.ink(Ink::Operator), area = areaOf(context);
    forCounterFills(
        lane, image.width(), context.linePx(),
        [&image, area](const QRect& rect) { fillDevice(image, rect, area); },
        [&image, line](const QRect& rect) { fillDevice(image, rect, line); });
}

// The area is one polygon, so that no edge shows inside it; what fills share with it is drawn over it.
void CounterPainter::drawBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context,
                              double) const {
    const double scale = context.scale();
    const QRect view(0, 0, context.frame().viewport.widthPx, context.frame().heightPx);
    QPolygonF outline;
    QList<QRectF> lines;
    forCounterFills(
        lane, view.width(), context.linePx(),
        [&](const QRect& rect) {
            const QRectF r = logical(rect & view, scale);
            if (r.isEmpty())
                return;
            if (outline.isEmpty())
                outline << r.bottomLeft();
            outline << r.topLeft() << r.topRight();
        },
        [&](const QRect& rect) {
            if (const QRect cut = rect & view; !cut.isEmpty())
                lines << logical(cut, scale);
        });
    painter.setPen(Qt::NoPen);
    if (!outline.isEmpty()) {
        const double bottom = outline.front().y(), right = outline.back().x();
        painter.setBrush(QColor::fromRgb(areaOf(context)));
        painter.drawPolygon(outline << QPointF(right, bottom));
    }
    painter.setBrush(context.palette.color(Ink::Operator));
    painter.drawRects(lines);
}

// Bytes with a binary prefix, whole numbers in full, else six digits; always the C locale.
QString valueText(double value, const std::string& unit) {
    constexpr double kExact = 9e15;
    if (value >= 0 && value < kExact && (unit == "bytes" || unit == "B"))
        return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(value)));
    const bool whole = value >= 0 && value < kExact && value == std::floor(value);
    const QString number = whole ? QString::fromStdString(formatCount(static_cast<std::uint64_t>(value)))
                                 : QString::number(value, 'g', 6);
    return unit.empty() ? number : number + QLatin1Char(' ') + QString::fromStdString(unit);
}

void CounterPainter::paintLabels(QPainter& painter, const LaneFrame& lane,
                                 const PaintContext& context) const {
    if (lane.counter.empty())
        return;
    const double scale = context.scale();
    const TextStyle style = context.fonts.style(Face::Regular, 10.5);
    const Lane& source = context.scene.trace->lane(lane.lane);
    const CounterTrack& track = context.scene.trace->counters()[source.counter.v];
    const QString shown = QStringLiteral("max ") + valueText(lane.counterMax, track.unit);
    const QRectF patch(4, (lane.y + lane.stripTop) / scale, style.width(shown) + 6, 13);
    painter.fillRect(patch, context.palette.color(Ink::Ground));
    style.draw(painter, {patch.left() + 3, style.baselineCentredOn(patch.center().y())}, shown,
               context.palette.ink(Ink::TextSecondary));
}

} // namespace

std::unique_ptr<const LanePainter> makeCounterPainter() {
    return std::make_unique<CounterPainter>();
}

} // namespace lacuna::ui
