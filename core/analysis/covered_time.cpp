#include "core/analysis/covered_time.h"

#include <algorithm>

namespace lacuna {

CoveredTime::CoveredTime(std::span<const TimeRange> ranges) : m_ranges(ranges) {
    m_sums.reserve(ranges.size() / kBlock + 1);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (i % kBlock == 0)
            m_sums.push_back(sum);
        sum += ranges[i].length().v;
    }
}

std::int64_t CoveredTime::before(TimeNs time) const {
    const auto after = std::partition_point(m_ranges.begin(), m_ranges.end(),
                                            [time](const TimeRange& range) { return range.begin < time; });
    const auto count = static_cast<std::size_t>(after - m_ranges.begin()); // that begin before
    if (count == 0)
        return 0;
    const std::size_t last = count - 1, first = last / kBlock * kBlock;
    std::int64_t sum = m_sums[last / kBlock];
    for (std::size_t i = first; i < last; ++i)
        sum += m_ranges[i].length().v;
    return sum + (std::min(m_ranges[last].end, time) - m_ranges[last].begin).v;
}

} // namespace lacuna
