#pragma once
// A union made of ranges that come by begin.

#include "core/base/time.h"

#include <algorithm>
#include <vector>

namespace lacuna {

// A range that begins no earlier than those before it joins the last one where they meet: what is kept are
// the members of the union, not the ranges, of which there are more. Empty ones are left out.
inline void joinRange(std::vector<TimeRange>& ranges, TimeRange range) {
    if (!ranges.empty() && range.begin <= ranges.back().end)
        ranges.back().end = std::max(ranges.back().end, range.end);
    else if (!range.isEmpty())
        ranges.push_back(range);
}

} // namespace lacuna
