#include "core/base/si_text.h"
#include "core/base/text_format.h"
#include "widgets/timeline/builtin_painters.h"
#include "widgets/timeline/counter_means.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

// A counter as an area under its value with the range of each pixel column on top.
class CounterPainter final : public LanePainter {
public:
    void paintBars(const Canvas& canvas, const LaneFrame& lane, const PaintContext& context) const override;
    void drawBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context,
                  double overlapPx) const override;
    void paintLabels(QPainter& painter, const LaneFrame& lane, const PaintContext& context) const override;

private:
    // Remembered, not state: the same question has the same answer.
    mutable CounterMeans m_means;
};

// Top of the scale and where the peak line stands: what the hardware can do where that is known (a share is
// of 100 %), else the most that was seen.
double peakOf(const CounterTrack& track, const LaneFrame& lane) {
    constexpr double kWhole = 100;
    return track.unit == "%" ? std::max(kWhole, lane.counterMax) : std::max(lane.counterMax, 0.0);
}

const CounterTrack& trackOf(const LaneFrame& lane, const PaintContext& context) {
    return context.scene.trace->counters()[context.scene.trace->lane(lane.lane).counter.v];
}

// Values to device pixels of the lane.
struct CounterScale {
    CounterScale(const LaneFrame& lane, double peak)
        : bottom(lane.y + lane.stripTop + lane.stripHeight), height(lane.stripHeight),
          low(std::min(0.0, lane.counterMin)), span(peak > low ? peak - low : 1.0) {}
    int yOf(double value) const {
        const double share = std::clamp((value - low) / span, 0.0, 1.0);
        return bottom - 1 - static_cast<int>(std::lround(share * (height - 1)));
    }
    int bottom, height;
    double low, span;
};

// The fills of a counter, device pixels, not cut to the picture: area under the value, line on top. Columns
// without a sample hold the value of the one before.
template <class Area, class Line>
void forCounterFills(const LaneFrame& lane, double peak, int width, int thickness, Area area, Line line) {
    const CounterScale scale(lane, peak);
    const int bottom = scale.bottom;
    const auto yOf = [&scale](double value) { return scale.yOf(value); };
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

// Under the values.
QRect peakLine(const LaneFrame& lane, double peak, int width, int thickness) {
    return {0, CounterScale(lane, peak).yOf(peak), width, thickness};
}

QRgb peakColour(const PaintContext& context) {
    return mixed(context.palette.ink(Ink::TextSecondary), context.palette.ink(Ink::Ground), 0.45);
}

QRgb areaOf(const PaintContext& context) {
    return mixed(context.palette.ink(Ink::Operator), context.palette.ink(Ink::Ground), 0.25);
}

void CounterPainter::paintBars(const Canvas& canvas, const LaneFrame& lane,
                               const PaintContext& context) const {
    const QRgb line = context.palette.ink(Ink::Operator), area = areaOf(context);
    const double peak = peakOf(trackOf(lane, context), lane);
    canvas.fill(peakLine(lane, peak, canvas.width, context.linePx()), peakColour(context));
    forCounterFills(
        lane, peak, canvas.width, context.linePx(),
        [&canvas, area](const QRect& rect) { canvas.fill(rect, area); },
        [&canvas, line](const QRect& rect) { canvas.fill(rect, line); });
}

// The area is one polygon, so that no edge shows inside it; what fills share with it is drawn over it.
void CounterPainter::drawBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context,
                              double) const {
    const double scale = context.scale();
    const QRect view(0, 0, context.frame().viewport.widthPx, context.frame().heightPx);
    QPolygonF outline;
    QList<QRectF> lines;
    const double peak = peakOf(trackOf(lane, context), lane);
    const QRect top = peakLine(lane, peak, view.width(), context.linePx()) & view;
    if (!top.isEmpty())
        painter.fillRect(logical(top, scale), QColor::fromRgb(peakColour(context)));
    forCounterFills(
        lane, peak, view.width(), context.linePx(),
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

// Bytes with a binary prefix, rates with a decimal one, whole numbers in full, else six digits; always the C
// locale.
QString valueText(double value, const std::string& unit, int digits = 6) {
    constexpr double kExact = 9e15;
    if (value >= 0 && value < kExact && (unit == "bytes" || unit == "B" || unit == "byte"))
        return QString::fromStdString(formatBytes(static_cast<std::uint64_t>(value)));
    if (unit == "Hz" || unit == "hz" || unit.ends_with("/s"))
        return QString::fromStdString(siText(value, unit));
    constexpr double kLong = 1e4; // in full rather than with an exponent
    const bool whole = value >= 0 && value < kExact && (value >= kLong || value == std::floor(value));
    const QString number =
        whole ? QString::fromStdString(formatCount(static_cast<std::uint64_t>(std::llround(value))))
              : QString::number(value, 'g', digits);
    return unit.empty() ? number : number + QLatin1Char(' ') + QString::fromStdString(unit);
}

// "max 43 % of 100 %"; the most of the whole track, and the peak where that is another number.
QString peakText(const CounterTrack& track, const LaneFrame& lane) {
    const double peak = peakOf(track, lane);
    const QString most = QStringLiteral("max ") + valueText(lane.counterMax, track.unit);
    return peak > lane.counterMax ? most + QStringLiteral(" of ") + valueText(peak, track.unit) : most;
}

void CounterPainter::paintLabels(QPainter& painter, const LaneFrame& lane,
                                 const PaintContext& context) const {
    if (lane.counter.empty())
        return;
    const double scale = context.scale();
    const TextStyle style = context.fonts.style(Face::Regular, 10.5);
    const auto label = [&](double left, const QString& shown, QRgb ink) {
        const QRectF patch(left, (lane.y + lane.stripTop) / scale, style.width(shown) + 6, 13);
        painter.fillRect(patch, context.palette.color(Ink::Ground));
        style.draw(painter, {patch.left() + 3, style.baselineCentredOn(patch.center().y())}, shown, ink);
        return patch.right();
    };
    const CounterTrack& track = trackOf(lane, context);
    constexpr double kLeft = 4, kAir = 6;
    const double peakEnd = label(kLeft, peakText(track, lane), context.palette.ink(Ink::TextSecondary));
    const auto [x0, x1] = context.selectedPixels();
    if (!context.scene.emphasis.time || x1 <= x0)
        return;
    const auto& mean = m_means.of(*context.scene.trace, context.scene.trace->lane(lane.lane).counter,
                                  *context.scene.emphasis.time);
    if (!mean)
        return;
    // The mean over the selected time: a line across it, and the figure at its left or, where that is out of
    // view, at the edge.
    const int y = CounterScale(lane, peakOf(track, lane)).yOf(mean->mean);
    crispFill(painter, logical({x0, y, x1 - x0, context.linePx()}, scale),
              context.palette.ink(Ink::Selection));
    const QString shown = QStringLiteral("mean ") + valueText(mean->mean, track.unit, 4);
    const double viewEnd = context.frame().viewport.widthPx / scale;
    const double wanted = std::max(x0 / scale + 2, peakEnd + kAir);
    label(std::min(wanted, viewEnd - style.width(shown) - 8), shown, context.palette.ink(Ink::Selection));
}

} // namespace

std::unique_ptr<const LanePainter> makeCounterPainter() {
    return std::make_unique<CounterPainter>();
}

} // namespace lacuna::ui
