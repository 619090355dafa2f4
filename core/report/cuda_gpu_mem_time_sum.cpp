// cuda_gpu_mem_time_sum: times of copies and memsets by what they are.

#include "core/report/builtin.h"
#include "core/report/operation_sums.h"

namespace lacuna::reports {

Result<ReportTable> cudaGpuMemTimeSum(const ReportInput& input, JobControl& job) {
    auto table = operationTimes(input, kMemoryKinds, "Count", false, job);
    if (table && table->rows() == 0)
        table->addNote("The trace has no copies or memsets.");
    return table;
}

} // namespace lacuna::reports
