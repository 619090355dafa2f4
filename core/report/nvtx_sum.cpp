// nvtx_sum: ranges by name and style.

#include "core/report/builtin.h"
#include "core/report/range_sums.h"

namespace lacuna::reports {

Result<ReportTable> nvtxSum(const ReportInput& input, JobControl& job) {
    return rangeTimes(input, true, true, job);
}

} // namespace lacuna::reports
