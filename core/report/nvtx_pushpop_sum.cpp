// nvtx_pushpop_sum: push/pop ranges by name.

#include "core/report/builtin.h"
#include "core/report/range_sums.h"

namespace lacuna::reports {

Result<ReportTable> nvtxPushpopSum(const ReportInput& input, JobControl& job) {
    return rangeTimes(input, true, false, job);
}

} // namespace lacuna::reports
