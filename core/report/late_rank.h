#pragma once
// Which rank the others waited for at one collective, matched as collective_match.h says.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lacuna {

struct LateRank {
    std::size_t rank = 0;      // of the others, from 0
    std::int64_t waitedNs = 0; // how much longer the collective took here
};

// None where `collective` of `own` did not wait for another: it was the shortest or shared that with another,
// or some rank has another number of that name. Error: Cancelled. O(n log n) of the device operations of all.
Result<std::optional<LateRank>> lateRank(const Trace& own, EventId collective,
                                         const std::vector<const Trace*>& others, JobControl& job);

} // namespace lacuna
