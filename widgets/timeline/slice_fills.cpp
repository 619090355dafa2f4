#include "widgets/timeline/slice_fills.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lacuna::ui {

namespace {

constexpr double kMinHairlineBarPx = 3;

// Rectangles, those of one colour together. One that is touched by the next reaches a little under it.
class BarBatch {
public:
    BarBatch(QPainter& painter, double scale, double overlapPx)
        : m_painter(painter), m_scale(scale), m_overlapPx(overlapPx) {
        m_painter.setPen(Qt::NoPen);
        m_painter.setRenderHint(QPainter::Antialiasing, true); // ends are where the times are
    }
    ~BarBatch() {
        flush();
        m_painter.setRenderHint(QPainter::Antialiasing, false);
    }
    BarBatch(const BarBatch&) = delete;
    BarBatch& operator=(const BarBatch&) = delete;

    // Device pixels, left to right within a strip.
    void add(const QRectF& rect, QRgb colour) {
        if (rect.width() <= 0 || rect.height() <= 0)
            return;
        if (!m_rects.isEmpty() && m_rects.back().top() == rect.top() &&
            std::abs(m_rects.back().right() - rect.left()) < kTouching)
            m_rects.back().setRight(rect.left() + std::min(m_overlapPx, rect.width()));
        if (colour != m_colour)
            flush();
        m_colour = colour;
        m_rects.push_back(rect);
    }

private:
    static constexpr double kTouching = 1e-6;

    // One by one: as one path, overlaps would be holes.
    void flush() {
        m_painter.setBrush(QColor::fromRgb(m_colour));
        for (const QRectF& rect : m_rects)
            m_painter.drawRect(QRectF(rect.x() / m_scale, rect.y() / m_scale, rect.width() / m_scale,
                                      rect.height() / m_scale));
        m_rects.clear();
    }

    QPainter& m_painter;
    double m_scale, m_overlapPx;
    QRgb m_colour = 0;
    QList<QRectF> m_rects;
};

// Left and right end of the visible part, device pixels. The first and the last pixel of one event are
// covered from their inner side.
std::pair<double, double> exactEnds(const Bar& bar, double viewWidth) {
    const double left = bar.x0 + (1.0 - static_cast<double>(bar.head));
    const double right = bar.x1 - (1.0 - static_cast<double>(bar.tail));
    return {std::max(0.0, left), std::min(viewWidth, right)};
}

} // namespace

QRgb fillOfBar(const LaneFrame& lane, const Bar& bar, const PaintContext& context) {
    if (bar.partCount == 0)
        return context.fillOf(bar.count > 1 ? bar.longest : bar.first);
    double red = 0.5, green = 0.5, blue = 0.5; // rounds to nearest
    for (std::uint32_t k = bar.firstPart; k < bar.firstPart + bar.partCount; ++k) {
        const QRgb colour = context.fillOf(lane.parts[k].event);
        const auto share = static_cast<double>(lane.parts[k].share);
        red += share * qRed(colour);
        green += share * qGreen(colour);
        blue += share * qBlue(colour);
    }
    return qRgb(std::min(255, static_cast<int>(red)), std::min(255, static_cast<int>(green)),
                std::min(255, static_cast<int>(blue)));
}

QRect deviceRectOf(const LaneFrame& lane, const Bar& bar) {
    return {bar.x0, lane.stripY(bar.strip), bar.x1 - bar.x0, lane.heightOf(bar.strip)};
}

bool touchesNextBar(const LaneFrame& lane, std::size_t index) {
    return index + 1 < lane.bars.size() && lane.bars[index + 1].strip == lane.bars[index].strip &&
           lane.bars[index + 1].x0 <= lane.bars[index].x1;
}

int hairlineMinimum(const LaneFrame& lane, const PaintContext& context) {
    if (context.scene.trace->lane(lane.lane).kind == LaneKind::GpuStream)
        return std::numeric_limits<int>::max();
    return static_cast<int>(std::ceil(kMinHairlineBarPx * context.scale()));
}

void drawSliceBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context, double overlapPx) {
    const double width = context.frame().viewport.widthPx;
    const std::pair<int, int> tint = context.selectedPixels();
    const QRgb ground = context.palette.ink(Ink::Ground), tinted = context.tintedGround();
    const int minHairlineBar = hairlineMinimum(lane, context);
    BarBatch batch(painter, context.scale(), overlapPx);
    for (std::size_t i = 0; i < lane.bars.size(); ++i) {
        const Bar& bar = lane.bars[i];
        const QRect area = deviceRectOf(lane, bar);
        const int top = std::max(0, area.top()),
                  bottom = std::min(context.frame().heightPx, area.bottom() + 1);
        const int x0 = std::max(0, bar.x0), x1 = std::min(static_cast<int>(width), bar.x1);
        if (top >= bottom || x0 >= x1)
            continue;
        const QRgb colour = fillOfBar(lane, bar, context);
        const auto column = [&](int x, float coverage) {
            const QRgb under = x >= tint.first && x < tint.second ? tinted : ground;
            batch.add(QRectF(x, top, 1, bottom - top),
                      mixed(colour, under, std::clamp(static_cast<double>(coverage), kMinCoverage, 1.0)));
        };
        auto [left, right] = exactEnds(bar, width);
        if (bar.x1 - bar.x0 == 1) { // several events, or one that does not fill its pixel
            column(x0, bar.coverage);
        } else if (right - left < 1) { // on either side of a boundary
            if (x0 == bar.x0)
                column(x0, bar.head);
            if (x1 == bar.x1)
                column(x1 - 1, bar.tail);
        } else {
            if (touchesNextBar(lane, i) && x1 - x0 >= minHairlineBar)
                right = std::min<double>(right, std::max(x0 + 1, x1 - context.linePx()));
            batch.add(QRectF(left, top, right - left, bottom - top), colour);
        }
    }
}

} // namespace lacuna::ui
