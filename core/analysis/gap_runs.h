#pragma once
// Rule B: runs of gaps in which one thread launches no faster than the device works (analysis.md
// section 4.4).

#include "core/analysis/gap_index.h"

namespace lacuna::gaps {

struct LaunchRun {
    std::size_t firstGap = 0, lastGap = 0; // positions in the gaps given, both in the run
    std::size_t gaps = 0;                  // members; gaps passed over lie between
    std::size_t launches = 0;
    std::int64_t medianIntervalNs = 0, medianOpNs = 0;
};

// Marks the members (Gap::launchBound). `gaps` are of one device or stream in time order, with cuts and
// drains.
std::vector<LaunchRun> findRuns(const GapIndex& index, std::span<Gap> gaps, JobControl& job);

} // namespace lacuna::gaps
