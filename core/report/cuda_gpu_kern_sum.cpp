// cuda_gpu_kern_sum: kernels by name.

#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/time_sums.h"

#include <utility>

namespace lacuna::reports {

Result<ReportTable> cudaGpuKernSum(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    GroupedValues times;
    const bool done = forEachRow(input, kindBit(EventKind::Kernel), job, [&](EventId e, const Lane&) {
        times.add(trace.events().name[e.v].v, trace.events().duration(e).v);
    });
    if (!done)
        return cancelledError();
    ReportTable table =
        nameTimeTable("Instances", trace, kindBit(EventKind::Kernel), std::move(times), fullName);
    if (table.rows() == 0)
        table.addNote("The trace has no kernels.");
    return table;
}

} // namespace lacuna::reports
