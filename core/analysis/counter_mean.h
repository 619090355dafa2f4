#pragma once
// What a counter was over some time. A sample holds until the next one; before the first there is no value.

#include "core/trace/trace.h"

#include <optional>

namespace lacuna {

struct CounterMean {
    double mean = 0; // weighted by time
    double least = 0, most = 0;
    std::int64_t knownNs = 0; // of the range, in which there is a value
};

// None where the range has no value. O(log samples + samples of the range).
std::optional<CounterMean> counterMean(const CounterTrack& counter, TimeRange range);

} // namespace lacuna
