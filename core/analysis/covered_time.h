#pragma once
// How much of the time before a moment lies in ascending, disjoint ranges. Sums are kept for every kBlock
// ranges, so that a question costs O(log n + kBlock) and a picture of any number of columns no pass over all
// ranges.

#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lacuna {

class CoveredTime {
public:
    static constexpr std::size_t kBlock = 64;

    CoveredTime() = default;
    // The ranges must stay where they are. O(n).
    explicit CoveredTime(std::span<const TimeRange> ranges);

    std::int64_t before(TimeNs time) const; // ns
    std::int64_t in(TimeRange range) const { return before(range.end) - before(range.begin); }

private:
    std::span<const TimeRange> m_ranges;
    std::vector<std::int64_t> m_sums; // ns before each block
};

} // namespace lacuna
