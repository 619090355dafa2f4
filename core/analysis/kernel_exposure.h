#pragma once
// How much of a device operation's time was its own: exposed = no other operation of the device ran. What ran
// beside something else costs nothing as long as that runs.

#include "core/analysis/critical_path.h"

#include <vector>

namespace lacuna {

struct NameExposure {
    StringId name;
    DeviceId device;
    std::uint64_t count = 0;
    std::int64_t totalNs = 0;   // sum of durations
    std::int64_t exposedNs = 0; // total = exposed + overlapped
    std::int64_t pathNs = 0;    // on the critical path
    std::int64_t overlappedNs() const { return totalNs - exposedNs; }
};

// By device and name of kernels, copies and memsets, path time from the largest, then exposed, total. Rows of
// the window are cut to it. O(n log n). Error: Cancelled.
Result<std::vector<NameExposure>> kernelExposure(const ReplayModel& model, const CriticalPath& path,
                                                 JobControl& job, std::optional<TimeRange> window = {});

} // namespace lacuna
