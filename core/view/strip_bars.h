#pragma once
// One strip -> bars. See strip_bars.cpp for the pass.

#include "core/trace/trace.h"
#include "core/view/frame.h"
#include "core/view/pixel_grid.h"

#include <cstdint>
#include <vector>

namespace lacuna {

// Appends the bars of a strip, left to right, and the kinds of dense columns of device lanes.
// O(min(events, columns) * log n) and, on device lanes, one byte read per event in view.
void appendStripBars(const Trace& trace, StripId strip, const PixelGrid& grid, std::uint16_t visibleStrip,
                     LaneFrame& into);

} // namespace lacuna
