#include "core/base/interval_set.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lacuna {

IntervalSet IntervalSet::fromUnsorted(std::vector<TimeRange> ranges) {
    const auto byBegin = [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; };
    if (!std::is_sorted(ranges.begin(), ranges.end(), byBegin))
        std::sort(ranges.begin(), ranges.end(), byBegin);
    // In place: a second list would be as long again, and there are millions.
    std::size_t kept = 0;
    for (const TimeRange r : ranges) { // a copy, since what is kept is written over what was read
        if (r.isEmpty())
            continue;
        if (kept != 0 && r.begin <= ranges[kept - 1].end)
            ranges[kept - 1].end = std::max(ranges[kept - 1].end, r.end);
        else
            ranges[kept++] = r;
    }
    ranges.resize(kept);
    if (kept < ranges.capacity() / 2)
        ranges.shrink_to_fit();
    IntervalSet set;
    set.m_ranges = std::move(ranges);
    return set;
}

IntervalSet IntervalSet::united(const IntervalSet& other) const {
    std::vector<TimeRange> all;
    all.reserve(m_ranges.size() + other.m_ranges.size());
    std::merge(m_ranges.begin(), m_ranges.end(), other.m_ranges.begin(), other.m_ranges.end(),
               std::back_inserter(all),
               [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
    return fromUnsorted(std::move(all));
}

IntervalSet IntervalSet::intersected(const IntervalSet& other) const {
    IntervalSet set;
    auto a = m_ranges.begin();
    auto b = other.m_ranges.begin();
    while (a != m_ranges.end() && b != other.m_ranges.end()) {
        const TimeRange common = intersection(*a, *b);
        if (!common.isEmpty())
            set.m_ranges.push_back(common);
        if (a->end < b->end)
            ++a;
        else
            ++b;
    }
    return set;
}

IntervalSet IntervalSet::minus(const IntervalSet& other) const {
    IntervalSet set;
    auto b = other.m_ranges.begin();
    for (TimeRange rest : m_ranges) {
        while (b != other.m_ranges.end() && b->end <= rest.begin)
            ++b;
        for (auto cut = b; cut != other.m_ranges.end() && cut->begin < rest.end; ++cut) {
            if (rest.begin < cut->begin)
                set.m_ranges.push_back({rest.begin, cut->begin});
            rest.begin = std::min(cut->end, rest.end);
        }
        if (!rest.isEmpty())
            set.m_ranges.push_back(rest);
    }
    return set;
}

IntervalSet IntervalSet::complementIn(TimeRange window) const {
    IntervalSet all;
    if (!window.isEmpty())
        all.m_ranges.push_back(window);
    return all.minus(*this);
}

DurationNs IntervalSet::measure() const {
    DurationNs sum;
    for (const TimeRange& r : m_ranges)
        sum = sum + r.length();
    return sum;
}

DurationNs IntervalSet::measureIn(TimeRange window) const {
    DurationNs sum;
    auto at = std::partition_point(m_ranges.begin(), m_ranges.end(),
                                   [&](const TimeRange& r) { return r.end <= window.begin; });
    for (; at != m_ranges.end() && at->begin < window.end; ++at)
        sum = sum + intersection(*at, window).length();
    return sum;
}

} // namespace lacuna
