#pragma once
// What the bars of a lane are filled with, for pixels (slice_painter.cpp) and for vector formats alike.

#include "widgets/timeline/paint_context.h"

namespace lacuna::ui {

// Colour of a bar; of a column of several kinds their colours, weighted by covered time.
QRgb fillOfBar(const LaneFrame& lane, const Bar& bar, const PaintContext& context);
QRect deviceRectOf(const LaneFrame& lane, const Bar& bar);
// Whether the next bar of the lane's list stands in the same strip without a pixel between.
bool touchesNextBar(const LaneFrame& lane, std::size_t index);
// Width, device pixels, from which on a bar that touches the next one ends in a hairline. Device lanes have
// none (it would look like idle time): more than any picture is wide.
int hairlineMinimum(const LaneFrame& lane, const PaintContext& context);

// The bars as rectangles. One event that covers at least a pixel stands where its times say, to a part of a
// pixel; what is narrower, and columns of several events, is a whole pixel of blended colour, as in the
// image.
void drawSliceBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context, double overlapPx);

} // namespace lacuna::ui
