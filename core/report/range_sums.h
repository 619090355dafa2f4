#pragma once
#include "core/report/range_tree.h"

namespace lacuna {

// nvtx_sum and its parts: times of ranges of the given styles by name.
Result<ReportTable> rangeTimes(const ReportInput& input, bool pushPop, bool startEnd, JobControl& job);

} // namespace lacuna
