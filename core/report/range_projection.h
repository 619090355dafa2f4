#pragma once
// Ranges projected on the device: from the start of the first to the end of the last operation that was
// launched in them.

#include "core/base/column.h"
#include "core/report/range_tree.h"

namespace lacuna {

struct ProjectedRange {
    std::int64_t begin = 0, end = 0;
    std::uint32_t range = 0;    // of the tree
    std::uint32_t calls = 0;    // launching calls; the vendor's number of operations counts those
    std::uint32_t children = 0; // ranges right below it that have operations too
};

struct RangeProjection {
    RangeTree tree;
    Column<ProjectedRange> ranges; // those with operations, by start of the range
    std::uint64_t unlaunched = 0;  // operations without a recorded call
};

Result<RangeProjection> projectRanges(const ReportInput& input, JobControl& job);

} // namespace lacuna
