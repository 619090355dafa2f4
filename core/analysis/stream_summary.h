#pragma once
// What one stream did, and how many operations waited on it.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace lacuna {

struct StreamSummary {
    LaneId lane;
    std::int64_t stream = 0;
    std::uint64_t ops = 0;
    TimeRange span;                      // first start to last end
    std::int64_t busyNs = 0;             // union
    std::int64_t idleNs = 0;             // span - union
    std::uint64_t overlappingStarts = 0; // operations that start before the running maximum of ends
    // Most operations that were submitted (their call began at or before t) and had not started; only those
    // with a recorded call count. At equal times a start comes before a submission.
    std::int64_t maxQueueDepth = 0;
    // Time with at least kQueueLimit waiting: the next launch on the stream has to wait for a place.
    std::int64_t blockedNs = 0;
};

// A stream takes 1,022 to 1,024 operations (observed; analysis.md section 2.1).
inline constexpr std::int64_t kQueueLimit = 1'022;

// Every stream of the device that ran at least one operation, by stream number. O(n log n). Error: Cancelled.
Result<std::vector<StreamSummary>> summariseStreams(const Trace& trace, DeviceId device, JobControl& job);

} // namespace lacuna
