#pragma once
// The critical path over the lanes: a thick line along the foot of every row that is on it, joined where it
// goes from one thread or stream to another (the rows of one thread change too fast to be joined). Where
// several pieces fall into one pixel the last one stands for them, so that a frame costs two pieces a pixel
// however many there are.

#include "widgets/timeline/paint_context.h"

namespace lacuna::ui {

// One stretch of the line in device pixels of the frame: [x0, x1) at y; rows that are not in view have none.
struct PathStretch {
    int x0 = 0, x1 = 0, y = 0;
    LaneId stream;   // device work
    ThreadId thread; // else
};
std::vector<PathStretch> pathStretches(const PaintContext& context);

void paintPath(QPainter& painter, const PaintContext& context);

} // namespace lacuna::ui
