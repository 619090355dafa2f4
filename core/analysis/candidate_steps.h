#pragma once
// Steps that nothing marks: repeats in the order of device operations. They are candidates, since a repeat
// may be a step, a microbatch, a token or the body of an inner loop; only a user can say which.
//
// An operation name that occurs n times (n >= 3) cuts the operations of the busiest device into n repeats.
// Repeats are alike when they hold the same names equally often (streams may interleave differently). A
// candidate is a name whose repeats are alike in the share of the thresholds and hold at least half of all
// operations. Names are tried from the rarest, so the first candidate is the longest repeat. Of the names
// that occur once in each repeat, the one behind the longest idle time begins it.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/settings/thresholds.h"
#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace lacuna {

struct CandidateSteps {
    DeviceId device;
    StringId anchor;               // operation that begins each repeat
    std::vector<TimeRange> ranges; // from anchor to anchor, the last one to the end of its last operation
    std::size_t alike = 0;         // repeats that equal the commonest
    std::size_t operations = 0;    // in that one
    std::int64_t medianNs = 0;     // lower median of the lengths
};

inline constexpr std::size_t kMostCandidates = 4;

// Longest repeat first; empty where nothing repeats. O(n) a name tried, at most 32 of them. Error: Cancelled.
Result<std::vector<CandidateSteps>> findCandidateSteps(const Trace& trace, const Thresholds& thresholds,
                                                       JobControl& job);

// "80 repeats of 50 operations, 78 alike, median 1.050 ms, each begun by ‹kernel›"
std::string candidateSentence(const Trace& trace, const CandidateSteps& candidate);

} // namespace lacuna
