// cuda_gpu_sum: kernels by name, copies and memsets by what they are.

#include "core/report/builtin.h"
#include "core/report/operation_sums.h"

namespace lacuna::reports {

Result<ReportTable> cudaGpuSum(const ReportInput& input, JobControl& job) {
    auto table = operationTimes(input, kGpuKinds, "Instances", true, job);
    if (table && table->rows() == 0)
        table->addNote("The trace has no device work.");
    return table;
}

} // namespace lacuna::reports
