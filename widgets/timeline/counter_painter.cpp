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
    void paintLabels(QPainter& painter, const LaneFrame& lane, const PaintContext& context) const override;
};

void CounterPainter::paintBars(QImage& image, const LaneFrame& lane, const PaintContext& context) const {
    const QRgb line = context.palette.ink(Ink::Operator);
    const QRgb area = mixed(line, context.palette.ink(Ink::Ground), 0.25);
    const int top = lane.y + lane.stripTop, bottom = top + lane.stripHeight;
    const double low = std::min(0.0, lane.counterMin), high = std::max(lane.counterMax, low);
    const double span = high > low ? high - low : 1.0;
    const auto yOf = [&](double value) {
        const double share = std::clamp((value - low) / span, 0.0, 1.0);
        return bottom - 1 - static_cast<int>(std::lround(share * (lane.stripHeight - 1)));
    };
    const int thickness = context.linePx();
    // Columns without a sample hold the value of the one before.
    for (std::size_t i = 0; i < lane.counter.size(); ++i) {
        const CounterPoint& point = lane.counter[i];
        const int next = i + 1 < lane.counter.size() ? lane.counter[i + 1].x : image.width();
        int yHigh = yOf(point.max), yLow = yOf(point.min);
        if (i > 0) { // the step from the value before
            yHigh = std::min(yHigh, yOf(lane.counter[i - 1].last));
            yLow = std::max(yLow, yOf(lane.counter[i - 1].last));
        }
        const int held = yOf(point.last);
        fillDevice(image, QRect(point.x, yHigh, 1, bottom - yHigh), area);
        fillDevice(image, QRect(point.x, yHigh, 1, yLow - yHigh + thickness), line);
        fillDevice(image, QRect(point.x + 1, held, next - point.x - 1, bottom - held), area);
        fillDevice(image, QRect(point.x + 1, held, next - point.x - 1, thickness), line);
    }
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
