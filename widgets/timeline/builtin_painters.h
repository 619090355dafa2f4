#pragma once
// The list LaneKind -> painter.

#include "widgets/timeline/lane_painter.h"

namespace lacuna::ui {

LanePainterList builtinPainters();
std::unique_ptr<const LanePainter> makeSlicePainter(); // slice_painter.cpp
// Launches per ms that are not dense: this share of the colour of calls over the ground.
inline constexpr double kThinRate = 0.4;
std::unique_ptr<const LanePainter> makeApiPainter();     // api_painter.cpp
std::unique_ptr<const LanePainter> makeCounterPainter(); // counter_painter.cpp

} // namespace lacuna::ui
