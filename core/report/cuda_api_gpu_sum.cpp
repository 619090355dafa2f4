// cuda_api_gpu_sum: API calls, kernels, copies and memsets; shares of the mixture.

#include "core/report/builtin.h"
#include "core/report/operation_sums.h"

namespace lacuna::reports {

Result<ReportTable> cudaApiGpuSum(const ReportInput& input, JobControl& job) {
    auto table = operationTimes(input, kApiKinds | kGpuKinds, "Instances", true, job);
    if (table && table->rows() == 0)
        table->addNote("The trace has neither API calls nor device work.");
    return table;
}

} // namespace lacuna::reports
