#pragma once
// Gaps -> marks and, for the hit test, column -> gap. Gaps are those of one device: ascending, disjoint;
// `first` is the id of the first of them.

#include "core/analysis/gap_analysis.h"
#include "core/view/frame.h"
#include "core/view/pixel_grid.h"

#include <optional>
#include <span>
#include <vector>

namespace lacuna {

// Columns of every gap that is at least one pixel long, in time order; y, height and labelled are
// left open. Whole idle columns only, so that no mark hides an operation; a gap without one marks the column
// of which it holds more (overBar). O(min(gaps, columns) * log n).
std::vector<GapMark> gapColumns(std::span<const Gap> gaps, GapId first, const PixelGrid& grid);

// The gap that a column is part of and that is at least a pixel long.
std::optional<GapId> gapAtColumn(std::span<const Gap> gaps, GapId first, const PixelGrid& grid, int x);

} // namespace lacuna
