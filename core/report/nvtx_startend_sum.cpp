// nvtx_startend_sum: start/end ranges by name.

#include "core/report/builtin.h"
#include "core/report/range_sums.h"

namespace lacuna::reports {

Result<ReportTable> nvtxStartendSum(const ReportInput& input, JobControl& job) {
    return rangeTimes(input, false, true, job);
}

} // namespace lacuna::reports
