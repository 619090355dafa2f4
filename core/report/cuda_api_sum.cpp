// cuda_api_sum: CUDA calls by function.

#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/time_sums.h"
#include "core/report/vendor_names.h"

#include <utility>

namespace lacuna::reports {

Result<ReportTable> cudaApiSum(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    GroupedValues times;
    const bool done = forEachRow(input, kApiKinds, job, [&](EventId e, const Lane&) {
        times.add(trace.events().name[e.v].v, trace.events().duration(e).v);
    });
    if (!done)
        return cancelledError();
    ReportTable table = nameTimeTable("Num Calls", trace, kApiKinds, std::move(times), vendorApiName);
    if (table.rows() == 0)
        table.addNote("The trace has no CUDA API calls.");
    return table;
}

} // namespace lacuna::reports
