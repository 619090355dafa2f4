#pragma once
// Launch latency: host calls joined with the device operations they submitted. One call may own many
// operations (one pair each); an operation whose id stands on several calls goes to the first in the file.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna {

struct LaunchPair {
    EventId call, op;
    std::int64_t startToStartNs = 0; // negative: the clocks disagree
};

struct LaunchPairs {
    std::vector<LaunchPair> pairs; // by start to start, then by operation
    std::int64_t startToStartSumNs = 0;
    std::int64_t delaySumNs = 0;           // of max(0, op start - call end)
    std::uint64_t startedBeforeReturn = 0; // op start < call end
    std::uint64_t startedBeforeCall = 0;   // op start < call start
    std::uint64_t callsWithManyOps = 0;
    std::vector<std::pair<std::string_view, std::uint64_t>> apiNames; // pairs by name of the call, by name
    bool isEmpty() const { return pairs.empty(); }
    std::int64_t minNs() const { return pairs.front().startToStartNs; } // not empty
    std::int64_t maxNs() const { return pairs.back().startToStartNs; }
    std::int64_t lowerMedianNs() const { return pairs[(pairs.size() - 1) / 2].startToStartNs; }
};

// All devices. O(n log n). Error: Cancelled. Views live as long as the trace.
Result<LaunchPairs> launchPairs(const Trace& trace, JobControl& job);

} // namespace lacuna
