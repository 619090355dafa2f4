#pragma once
// How densely a thread launches: launches of kernels and graphs per ms of the trace's time. Many packed
// launches are a hint of a launch-bound program (features.md D06). Cells stand at whole ms from time zero, so
// that a count does not change with what is looked at; the first ms is [0, 1 ms).

#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace lacuna {

inline constexpr std::int64_t kLaunchCellNs = 1'000'000;
inline constexpr std::uint32_t kDenseLaunches = 10; // a cell with more than this is dense

struct LaunchCell {
    std::int64_t ms = 0; // [ms, ms + 1); negative for rows before time zero
    std::uint32_t launches = 0;

    TimeRange range() const { return {{ms * kLaunchCellNs}, {(ms + 1) * kLaunchCellNs}}; }
    bool isDense() const { return launches > kDenseLaunches; }
    friend bool operator==(const LaunchCell&, const LaunchCell&) = default;
};

// Cells with a launch in them, ascending. A launch counts where it starts; one inside another launch (the
// driver's below the runtime's) does not count again. The lane is one of CUDA API calls.
// O(calls), O(n log n) of n launches where calls are nested.
std::vector<LaunchCell> launchCells(const Trace& trace, LaneId apiLane);

// The same as a counter ("launches/ms") that falls to 0 behind every cell without a next one: for drawing.
CounterTrack launchRate(const std::vector<LaunchCell>& cells);

} // namespace lacuna
