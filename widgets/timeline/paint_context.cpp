#include "widgets/timeline/paint_context.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lacuna::ui {

namespace {

// Pixel of a time, safe for times far outside the view.
int clampedPixel(double x) {
    return static_cast<int>(std::clamp(x, -1e6, 1e6));
}

} // namespace

int PaintContext::linePx() const {
    return std::max(1, static_cast<int>(std::lround(scale())));
}

QRgb PaintContext::fillOf(EventId event) const {
    const QRgb colour = colours.isOn() ? colours.colourOf(event) : palette.ink(roleOf(event));
    return scene.emphasis.keeps(event) ? colour : mixed(colour, palette.ink(Ink::Ground), kDimShare);
}

QRgb PaintContext::labelOn(EventId event) const {
    return colours.isOn() ? textOn(colours.colourOf(event)) : palette.labelOn(roleOf(event));
}

void PaintContext::drawLabel(QPainter& painter, bool isDim, QPointF baseline, const FittedLabel& label,
                             QRgb ink, QRgb fill) const {
    if (canvas == nullptr)
        (isDim ? dimLabels : labels).style().draw(painter, baseline, label.text, ink);
    else
        (isDim ? dimStamps : stamps)
            .draw(painter, *canvas, scale(), baseline, {label.text, label.widthPx, ink, fill});
}

std::pair<int, int> PaintContext::selectedPixels() const {
    if (!scene.emphasis.time)
        return {0, 0};
    const Viewport& view = frame().viewport;
    const int x0 = clampedPixel(std::floor(view.xOf(scene.emphasis.time->begin)));
    const int x1 = clampedPixel(std::ceil(view.xOf(scene.emphasis.time->end)));
    const int width = view.widthPx;
    return {std::clamp(x0, 0, width), std::clamp(std::max(x1, x0 + 1), 0, width)};
}

QRgb PaintContext::tintedGround() const {
    const Ink role = scene.emphasis.timeIsGap ? Ink::Gap : Ink::Selection;
    return mixed(palette.ink(role), palette.ink(Ink::Ground), palette.isDark() ? 0.07 : 0.045);
}

QRect PaintContext::rectOf(EventId event) const {
    if (!event)
        return {};
    const StripId strip = scene.trace->stripOf(event);
    const LaneId lane = scene.trace->strip(strip).lane;
    const std::uint32_t depth = strip.v - scene.trace->lane(lane).firstStrip.v;
    for (const LaneFrame& row : frame().lanes) {
        if (row.lane != lane)
            continue;
        const TimelineRow& layoutRow = scene.layout->rows()[row.row];
        if (depth < layoutRow.firstStrip || depth >= layoutRow.firstStrip + layoutRow.stripCount)
            return {};
        const std::uint32_t shown = depth - layoutRow.firstStrip;
        const TimeRange range = scene.trace->events().range(event);
        const int x0 = clampedPixel(std::floor(frame().viewport.xOf(range.begin)));
        const int x1 = clampedPixel(std::ceil(frame().viewport.xOf(range.end)));
        return {x0, row.stripY(shown), std::max(1, x1 - x0), row.heightOf(shown)};
    }
    return {};
}

std::vector<QRect> PaintContext::rectsOf(GapId gap) const {
    std::vector<QRect> rects;
    for (const GapMark& mark : frame().gaps)
        if (mark.gap == gap)
            rects.emplace_back(mark.x0, mark.y, mark.x1 - mark.x0, mark.height);
    return rects;
}

void crispFill(QPainter& painter, const QRectF& rect, QRgb colour) {
    const QTransform toDevice = painter.deviceTransform();
    const QRectF device = toDevice.mapRect(rect);
    const QRectF snapped(std::round(device.x()), std::round(device.y()),
                         std::max(1.0, std::round(device.width())),
                         std::max(1.0, std::round(device.height())));
    painter.fillRect(toDevice.inverted().mapRect(snapped), QColor::fromRgb(colour));
}

void strokeInside(QPainter& painter, const QRectF& r, double t, QRgb colour) {
    if (r.width() <= 2 * t || r.height() <= 2 * t) {
        crispFill(painter, r, colour);
        return;
    }
    // Edges of whole device pixels first, so that the four sides meet.
    const QTransform toDevice = painter.deviceTransform();
    const QRectF device = toDevice.mapRect(r);
    const double x0 = std::round(device.left()), x1 = std::round(device.right());
    const double y0 = std::round(device.top()), y1 = std::round(device.bottom());
    const double w = std::max(1.0, std::round(t * toDevice.m11()));
    const QTransform back = toDevice.inverted();
    for (const QRectF& side : {QRectF(x0, y0, x1 - x0, w), QRectF(x0, y1 - w, x1 - x0, w),
                               QRectF(x0, y0, w, y1 - y0), QRectF(x1 - w, y0, w, y1 - y0)})
        painter.fillRect(back.mapRect(side), QColor::fromRgb(colour));
}

} // namespace lacuna::ui
