#pragma once
// One strip -> bars. See strip_bars.cpp for the pass.

#include "core/trace/trace.h"
#include "core/view/frame.h"
#include "core/view/pixel_grid.h"

#include <cstdint>
#include <vector>

namespace lacuna {

// Appends the bars of a strip, left to right. O(min(events, columns) * log n).
void appendStripBars(const Trace& trace, StripId strip, const PixelGrid& grid, std::uint16_t visibleStrip,
                     std::vector<Bar>& bars);

} // namespace lacuna
