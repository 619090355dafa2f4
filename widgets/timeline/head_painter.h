#pragma once
// Lane heads: title, subtitle, detail at the right (busy share), fold triangle.

#include "widgets/timeline/paint_context.h"

namespace lacuna::ui {

// The live window: heads of the rows in view, width logical pixels wide, on the window colour.
void paintHeadColumn(QPainter& painter, const PaintContext& context, double width);
// A figure: plain text on the ground, no triangles; rules run over `ruleWidth` from the left of the heads.
void paintFigureHeads(QPainter& painter, const PaintContext& context, double width, double ruleWidth);

} // namespace lacuna::ui
