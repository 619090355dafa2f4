#pragma once
// Gaps -> marks and, for the hit test, column -> gap.

#include "core/analysis/gap_analysis.h"
#include "core/view/frame.h"
#include "core/view/pixel_grid.h"

#include <optional>
#include <vector>

namespace lacuna {

// Columns of every gap of a device that is at least one pixel long, in time order; y, height and labelled are
// left open. Whole idle columns only, so that no mark hides an operation; a gap without one marks the column
// of which it holds more (overBar). O(min(gaps, columns) * log n).
std::vector<GapMark> gapColumns(const GapAnalysis& gaps, DeviceId device, const PixelGrid& grid);

// The gap of a device that a column is part of and that is at least a pixel long.
std::optional<GapId> gapAtColumn(const GapAnalysis& gaps, DeviceId device, const PixelGrid& grid, int x);

} // namespace lacuna
