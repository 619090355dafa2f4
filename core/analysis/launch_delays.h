#pragma once
// How long some kernels waited between their launching call and their start.

#include "core/trace/trace.h"

#include <cstdint>
#include <span>

namespace lacuna {

struct LaunchDelays {
    std::uint64_t known = 0;    // kernels with a recorded call
    std::int64_t latencyNs = 0; // lower median of start - start of the call; negative: clocks disagree
    std::int64_t queuedNs = 0;  // lower median of what of it came after the call had returned; at least 0
    std::int64_t longestQueuedNs = 0;
};

// O(kernels x log calls). Launches without a recorded call are left out. A cancelled job ends it early, with
// figures that mean nothing.
LaunchDelays launchDelays(const Trace& trace, std::span<const EventId> kernels,
                          const JobControl& job = JobControl());

} // namespace lacuna
