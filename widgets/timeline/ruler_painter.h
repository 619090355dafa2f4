#pragma once
// Time axis: as the strip over the live lanes, or as the axis of a figure.

#include "widgets/timeline/paint_context.h"

namespace lacuna::ui {

// rect.left() and rect.width() are those of the lanes. The selected time is a band with start, duration and
// end.
void paintRulerStrip(QPainter& painter, const PaintContext& context, const QRectF& rect);
// Labels over ticks over the axis line at rect.bottom().
void paintFigureAxis(QPainter& painter, const PaintContext& context, const QRectF& rect);
// Ticks of a frame, x in logical pixels.
std::vector<double> gridLines(const Frame& frame, const TimeAxis& axis);

} // namespace lacuna::ui
