#pragma once
// The list LaneKind -> painter.

#include "widgets/timeline/lane_painter.h"

namespace lacuna::ui {

LanePainterList builtinPainters();
std::unique_ptr<const LanePainter> makeSlicePainter();   // slice_painter.cpp
std::unique_ptr<const LanePainter> makeCounterPainter(); // counter_painter.cpp

} // namespace lacuna::ui
