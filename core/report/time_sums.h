#pragma once
// Tables of the form "Time (%), Total Time (ns), Instances, Avg, Med, Min, Max, StdDev, labels": times of
// rows in groups, the largest total first.

#include "core/report/statistics.h"
#include "core/trace/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct TimeSum {
    Statistics times;
    std::vector<std::string> labels; // last columns, in order
    StringId name = {};              // of the trace, where the group is all rows of a name and some kinds
    KindMask kinds = 0;
};

// count: the title of the number of rows; labels: titles of the last columns. Equal totals are in the order
// of their labels. Shares are of the sum of all totals.
ReportTable timeSumTable(std::string count, const std::vector<std::string>& labels,
                         std::vector<TimeSum> sums);

// Of times of all rows of some kinds that are grouped by the name's StringId, with one label "Name": what
// labelOf makes of the name.
ReportTable nameTimeTable(std::string count, const Trace& trace, KindMask kinds, GroupedValues times,
                          std::string_view (*labelOf)(std::string_view name));
// The name as it stands.
std::string_view fullName(std::string_view name);

} // namespace lacuna
