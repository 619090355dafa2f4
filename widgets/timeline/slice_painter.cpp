// Bars of events. A strip is written as one scanline, which is then copied down the strip's height: 2.5 times
// cheaper than a fill per bar, and a dense frame has some 40,000 of them (performance.md section 4).

#include "widgets/timeline/builtin_painters.h"
#include "widgets/timeline/hatch.h"
#include "widgets/timeline/slice_fills.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lacuna::ui {

namespace {

constexpr double kLabelPadPx = 5, kLabelEndPx = 3;
constexpr double kMinLabelBarPx = 24;
constexpr double kMinHatchBarPx = 6;

class SlicePainter final : public LanePainter {
public:
    void paintBars(const Canvas& canvas, const LaneFrame& lane, const PaintContext& context) const override;
    bool copiesStripsDown() const override { return true; }
    void drawBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context,
                  double overlapPx) const override;
    void paintLabels(QPainter& painter, const LaneFrame& lane, const PaintContext& context) const override;

private:
    static void paintLabel(QPainter& painter, const QRectF& bar, EventId event, const PaintContext& context);
    static void paintWaitLines(QPainter& painter, const QRectF& bar, QRgb fill, const PaintContext& context);
};

void SlicePainter::paintBars(const Canvas& canvas, const LaneFrame& lane, const PaintContext& context) const {
    const int width = canvas.width;
    const std::pair<int, int> tint = context.selectedPixels();
    const QRgb ground = context.palette.ink(Ink::Ground), tinted = context.tintedGround();
    const int minHairlineBar = hairlineMinimum(lane, context);

    for (std::size_t i = 0; i < lane.bars.size();) {
        const std::uint16_t strip = lane.bars[i].strip;
        const QRect area = deviceRectOf(lane, lane.bars[i]);
        const int yFirst = std::max(0, area.top()), yEnd = std::min(canvas.height, area.bottom() + 1);
        QRgb* line = yFirst < yEnd ? canvas.line(yFirst) : nullptr;
        for (; i < lane.bars.size() && lane.bars[i].strip == strip; ++i) {
            const Bar& bar = lane.bars[i];
            const int x0 = std::max(0, bar.x0), x1 = std::min(width, bar.x1);
            if (line == nullptr || x0 >= x1)
                continue;
            const QRgb colour = fillOfBar(lane, bar, context);
            const auto blended = [&](int x, float coverage) {
                return mixed(colour, x >= tint.first && x < tint.second ? tinted : ground,
                             std::clamp(static_cast<double>(coverage), kMinCoverage, 1.0));
            };
            if (bar.x1 - bar.x0 == 1) { // several events, or one that does not fill its pixel
                line[x0] = blended(x0, bar.coverage);
                continue;
            }
            std::fill(line + x0, line + x1, colour);
            if (x0 == bar.x0 && bar.head < 1.0f)
                line[x0] = blended(x0, bar.head);
            if (x1 == bar.x1 && bar.tail < 1.0f)
                line[x1 - 1] = blended(x1 - 1, bar.tail);
            if (touchesNextBar(lane, i) && x1 - x0 >= minHairlineBar) {
                const int from = std::max(x0 + 1, x1 - context.linePx());
                std::fill(line + from, line + x1, from >= tint.first && from < tint.second ? tinted : ground);
            }
        }
        for (int y = yFirst + 1; y < yEnd; ++y)
            std::memcpy(canvas.line(y), line, static_cast<std::size_t>(width) * sizeof(QRgb));
    }
}

void SlicePainter::drawBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context,
                            double overlapPx) const {
    drawSliceBars(painter, lane, context, overlapPx);
}

void SlicePainter::paintWaitLines(QPainter& painter, const QRectF& bar, QRgb fill,
                                  const PaintContext& context) {
    constexpr double kShare = 0.35, kSpacing = 6;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(QColor::fromRgb(mixed(context.palette.labelOn(Ink::Wait), fill, kShare)), 1,
                        Qt::SolidLine, Qt::FlatCap));
    const std::vector<QLineF> lines = hatchLines(bar.adjusted(0.5, 0.5, -0.5, -0.5), Hatch::Slash, kSpacing);
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void SlicePainter::paintLabel(QPainter& painter, const QRectF& bar, EventId event,
                              const PaintContext& context) {
    const bool kept = context.scene.emphasis.keeps(event);
    LabelCache& labels = kept ? context.labels : context.dimLabels;
    const FittedLabel& label =
        labels.fit(*context.scene.trace, event, bar.width() - kLabelPadPx - kLabelEndPx);
    if (label.text.isEmpty())
        return;
    const Ink role = context.roleOf(event);
    const QRgb fill = context.fillOf(event);
    if (role == Ink::Wait)
        painter.fillRect(QRectF(bar.left() + 2, bar.top(), label.widthPx + 2 * kLabelPadPx - 2, bar.height()),
                         QColor::fromRgb(fill));
    const QRgb ink =
        kept ? context.labelOn(event) : mixed(context.palette.ink(Ink::Text), fill, kDimLabelShare);
    context.drawLabel(painter, !kept,
                      {bar.left() + kLabelPadPx, labels.style().baselineCentredOn(bar.center().y())}, label,
                      ink, fill);
}

void SlicePainter::paintLabels(QPainter& painter, const LaneFrame& lane, const PaintContext& context) const {
    const double scale = context.scale();
    const int width = context.frame().viewport.widthPx;
    for (const Bar& bar : lane.bars) {
        if (bar.count != 1 || bar.x1 - bar.x0 < kMinHatchBarPx * scale)
            continue;
        QRect area = deviceRectOf(lane, bar);
        area.setLeft(std::max(0, area.left()));
        area.setRight(std::min(width - 1, area.right()));
        const QRectF visible = logical(area, scale);
        if (visible.bottom() < 0 || visible.top() * scale > context.frame().heightPx)
            continue;
        if (context.roleOf(bar.first) == Ink::Wait)
            paintWaitLines(painter, visible, context.fillOf(bar.first), context);
        if (visible.width() >= kMinLabelBarPx && visible.height() >= context.labels.style().pixelSize())
            paintLabel(painter, visible, bar.first, context);
    }
}

} // namespace

std::unique_ptr<const LanePainter> makeSlicePainter() {
    return std::make_unique<SlicePainter>();
}

} // namespace lacuna::ui
