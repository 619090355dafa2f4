#include "widgets/timeline/ruler_painter.h"

#include "core/base/text_format.h"
#include "core/view/time_ticks.h"

#include <QPainter>

#include <algorithm>

namespace lacuna::ui {

namespace {

constexpr double kMajorTick = 8, kMinorTick = 4;

Viewport logicalViewport(const Frame& frame) {
    return {frame.viewport.begin, frame.viewport.nsPerPx * frame.scale,
            static_cast<int>(frame.viewport.widthPx / frame.scale)};
}

// A time of day is wider than a number of milliseconds.
double labelPx(const TimeAxis& axis) {
    return axis.isWall() ? 130.0 : 90.0;
}

// Band of the selected time: start at the left, duration in the middle, end at the right, as far as they fit.
void paintBand(QPainter& painter, const PaintContext& context, const QRectF& rect) {
    const auto [x0, x1] = context.selectedPixels();
    if (x0 >= x1)
        return;
    const ThemePalette& palette = context.palette;
    const TimeRange time = *context.scene.emphasis.time;
    const QRectF band(rect.left() + x0 / context.scale(), rect.top() + 1, (x1 - x0) / context.scale(),
                      rect.height() - 2);
    const QRgb edge = palette.ink(Ink::Selection);
    crispFill(painter, band, mixed(edge, palette.ink(Ink::Window), 0.14));
    crispFill(painter, QRectF(band.left(), band.bottom() - 2, band.width(), 2), edge);
    const bool startsHere = time.begin >= context.frame().viewport.begin;
    const bool endsHere = time.end <= context.frame().viewport.range().end;
    if (startsHere)
        crispFill(painter, QRectF(band.left(), band.top() + 4, 2, band.height() - 4), edge);
    if (endsHere)
        crispFill(painter, QRectF(band.right() - 2, band.top() + 4, 2, band.height() - 4), edge);

    const TextStyle bold = context.fonts.style(Face::SemiBold, 12),
                    plain = context.fonts.style(Face::Regular, 11.5);
    const double baseline = bold.baselineCentredOn(band.center().y() - 1);
    const QString duration = QString::fromStdString(formatDuration(time.length()));
    const double middle = bold.width(duration);
    if (middle + 12 > band.width())
        return;
    bold.drawCentred(painter, {band.center().x(), baseline}, duration, palette.ink(Ink::Text));
    const QString start = QString::fromStdString(timeText(time.begin, context.scene.axis));
    const QString end = QString::fromStdString(timeText(time.end, context.scene.axis));
    if (middle + 2 * std::max(plain.width(start), plain.width(end)) + 48 > band.width())
        return;
    if (startsHere)
        plain.draw(painter, {band.left() + 8, baseline}, start, palette.ink(Ink::TextSecondary));
    if (endsHere)
        plain.drawRight(painter, {band.right() - 8, baseline}, end, palette.ink(Ink::TextSecondary));
}

} // namespace

std::vector<double> gridLines(const Frame& frame, const TimeAxis& axis) {
    std::vector<double> lines;
    for (const Tick& tick : timeTicks(logicalViewport(frame), labelPx(axis), axis))
        if (tick.major)
            lines.push_back(tick.x);
    return lines;
}

void paintRulerStrip(QPainter& painter, const PaintContext& context, const QRectF& rect) {
    const ThemePalette& palette = context.palette;
    crispFill(painter, rect, palette.ink(Ink::Window));
    const auto [x0, x1] = context.selectedPixels();
    const double bandFrom = rect.left() + x0 / context.scale(), bandTo = rect.left() + x1 / context.scale();
    const TextStyle style = context.fonts.style(Face::Regular, 11.5);
    for (const Tick& tick :
         timeTicks(logicalViewport(context.frame()), labelPx(context.scene.axis), context.scene.axis)) {
        const double x = rect.left() + tick.x, height = tick.major ? kMajorTick : kMinorTick;
        if (x < rect.left() || x >= rect.right())
            continue;
        const bool inBand = x0 < x1 && x >= bandFrom && x <= bandTo;
        if (!inBand)
            crispFill(painter, QRectF(x, rect.bottom() - 1 - height, 1, height),
                      palette.ink(tick.major ? Ink::TextSecondary : Ink::Border));
        const QString label = QString::fromStdString(tick.label);
        const double left = x + 4, right = left + style.width(label);
        const bool meetsBand = x0 < x1 && right > bandFrom - 4 && left < bandTo + 4;
        if (tick.major && !meetsBand && right < rect.right())
            style.draw(painter, {left, rect.top() + 15}, label, palette.ink(Ink::TextSecondary));
    }
    paintBand(painter, context, rect);
    crispFill(painter, QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), palette.ink(Ink::Border));
}

void paintFigureAxis(QPainter& painter, const PaintContext& context, const QRectF& rect) {
    const ThemePalette& palette = context.palette;
    const TextStyle style = context.fonts.style(Face::Regular, 12.5);
    const double axis = rect.bottom() - 1;
    double usedTo = rect.left() - 40;
    // One pixel earlier: the pixel grid of the lanes may begin a part of a pixel after the range asked for.
    Viewport early = logicalViewport(context.frame()).panned(-1.0);
    ++early.widthPx;
    for (const Tick& tick :
         timeTicks(early, std::max(110.0, labelPx(context.scene.axis)), context.scene.axis)) {
        const double x = rect.left() + std::max(tick.x - 1, 0.0),
                     height = tick.major ? kMajorTick : kMinorTick;
        if (x >= rect.right())
            continue;
        crispFill(painter, QRectF(x, axis - height, 1, height),
                  palette.ink(tick.major ? Ink::TextSecondary : Ink::Border));
        if (!tick.major)
            continue;
        const QString label = QString::fromStdString(tick.label);
        const double half = style.width(label) / 2;
        const double middle =
            std::clamp(x, rect.left() + half, std::max(rect.left() + half, rect.right() - half));
        if (middle - half < usedTo + 8)
            continue;
        style.drawCentred(painter, {middle, axis - 14}, label, palette.ink(Ink::TextSecondary));
        usedTo = middle + half;
    }
    crispFill(painter, QRectF(rect.left(), axis, rect.width(), 1), palette.ink(Ink::TextSecondary));
}

} // namespace lacuna::ui
