#pragma once
// The critical path over the lanes: a thick line along the foot of every row that is on it, joined where it
// goes from one row to another. Where several pieces fall into one pixel the last one stands for them, so
// that a frame costs two pieces a pixel however many there are.

#include "widgets/timeline/paint_context.h"

namespace lacuna::ui {

// One stretch of the line in device pixels of the frame: [x0, x1) at y; rows that are not in view have none.
struct PathStretch {
    int x0 = 0, x1 = 0, y = 0;
};
std::vector<PathStretch> pathStretches(const PaintContext& context);

void paintPath(QPainter& painter, const PaintContext& context);

} // namespace lacuna::ui
