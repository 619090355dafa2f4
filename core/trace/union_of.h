#pragma once
// The union of many ranges, made by a job that can be stopped.

#include "core/base/interval_set.h"
#include "core/trace/sort_rows.h"

#include <optional>
#include <utility>
#include <vector>

namespace lacuna {

// As IntervalSet::fromUnsorted(); none when the job was cancelled. O(n log n), near O(n) where the ranges are
// nearly in order.
inline std::optional<IntervalSet> unionOf(std::vector<TimeRange> ranges, RowPoll& poll) {
    if (!sortRows(ranges, poll, [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; }))
        return std::nullopt;
    return IntervalSet::fromUnsorted(std::move(ranges));
}

} // namespace lacuna
