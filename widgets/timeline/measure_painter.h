#pragma once
// The readout between two selected events: a dimension line from edge to edge with its length.

#include "widgets/timeline/paint_context.h"

namespace lacuna::ui {

// Nothing without TimelineScene::measured, or where neither event's lane is in view.
void paintMeasurement(QPainter& painter, const PaintContext& context);

} // namespace lacuna::ui
