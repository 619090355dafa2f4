#pragma once
// Canonical sets of nanoseconds: members are sorted, disjoint, non-touching and non-empty. All operations are
// linear sweeps (fromUnsorted sorts only what is not sorted).

#include "core/base/time.h"

#include <span>
#include <utility>
#include <vector>

namespace lacuna {

class IntervalSet {
public:
    IntervalSet() = default;
    // Any order, overlaps and empty members allowed.
    static IntervalSet fromUnsorted(std::vector<TimeRange> ranges);

    IntervalSet united(const IntervalSet& other) const;
    IntervalSet intersected(const IntervalSet& other) const;
    IntervalSet minus(const IntervalSet& other) const;
    IntervalSet complementIn(TimeRange window) const;
    DurationNs measure() const;
    // Measure of the part inside the window; O(log n + members touched).
    DurationNs measureIn(TimeRange window) const;
    bool isEmpty() const { return m_ranges.empty(); }
    std::span<const TimeRange> ranges() const { return m_ranges; }
    std::vector<TimeRange> takeRanges() { return std::move(m_ranges); } // leaves an empty set
    friend bool operator==(const IntervalSet&, const IntervalSet&) = default;

private:
    std::vector<TimeRange> m_ranges;
};

} // namespace lacuna
