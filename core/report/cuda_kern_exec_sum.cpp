// cuda_kern_exec_sum: from launch to end of kernels, by thread, device, launching call and kernel: total,
// call, queue and kernel time.

#include "core/report/builtin.h"
#include "core/report/dense_keys.h"
#include "core/report/launched_kernels.h"
#include "core/report/statistics.h"
#include "core/report/vendor_names.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace lacuna::reports {

namespace {

enum ExecKey : std::size_t { KeyThread, KeyDevice, KeyApi, KeyKernel };
enum ExecTime : std::size_t { ExecTotal, ExecApi, ExecQueue, ExecKernel };

struct ExecGroup {
    std::array<Statistics, 4> times; // count 0: none
};

std::vector<ReportColumn> execColumns() {
    std::vector<ReportColumn> columns = {integerColumn("PID"), integerColumn("TID"), integerColumn("DevId"),
                                         integerColumn("Count"), integerColumn("QCount")};
    for (const char* prefix : {"T", "A", "Q", "K"})
        addStatisticsColumns(columns, prefix);
    columns.push_back(textColumn("API Name"));
    columns.push_back(textColumn("Kernel Name"));
    return columns;
}

} // namespace

Result<ReportTable> cudaKernExecSum(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    const auto launched = launchedOps(input, kindBit(EventKind::Kernel), job);
    if (!launched)
        return cancelledError();
    DenseKeys<4> keys;
    std::array<GroupedValues, 4> times;
    RowPoll poll(job);
    for (const LaunchedOp& op : launched->ops) {
        if (!poll.tick())
            return cancelledError();
        const TimeRange call = events.range(op.call), kernel = events.range(op.op);
        const std::uint32_t group =
            keys.of({op.thread.v, ordinalOf(trace, trace.lane(trace.laneOf(op.op)).device),
                     events.name[op.call.v].v, events.name[op.op.v].v});
        times[ExecTotal].add(group, (std::max(call.end, kernel.end) - call.begin).v);
        times[ExecApi].add(group, call.length().v);
        if (kernel.begin >= call.end)
            times[ExecQueue].add(group, (kernel.begin - call.end).v);
        times[ExecKernel].add(group, kernel.length().v);
    }
    std::vector<ExecGroup> groups(keys.size());
    for (std::size_t t = 0; t < times.size(); ++t)
        for (const GroupedValues::Group& group : times[t].take(job))
            groups[group.key].times[t] = group.values;
    if (job.cancelled())
        return cancelledError();
    std::vector<std::uint32_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto average = [&](std::uint32_t g) {
        const Statistics& total = groups[g].times[ExecTotal];
        return static_cast<long double>(total.total) / static_cast<long double>(total.count);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return average(a) > average(b); });
    ReportTable table(execColumns());
    for (const std::uint32_t g : order) {
        const auto& key = keys.key(g);
        const auto& group = groups[g].times;
        const HostIds ids = hostIdsOf(trace, ThreadId{static_cast<std::uint32_t>(key[KeyThread])});
        ReportTable::Row row = table.addRow();
        row.integer(ids.pid).integer(ids.tid).integer(key[KeyDevice]);
        row.integer(group[ExecTotal].count).integer(group[ExecQueue].count);
        for (const Statistics& one : group)
            if (one.count == 0)
                addNoStatistics(row);
            else
                addStatistics(row, one);
        row.text(vendorApiName(trace.strings().view(StringId{static_cast<std::uint32_t>(key[KeyApi])})))
            .text(trace.strings().view(StringId{static_cast<std::uint32_t>(key[KeyKernel])}));
    }
    if (std::string note = unlaunchedNote(launched->unlaunched); !note.empty())
        table.addNote(std::move(note));
    return table;
}

} // namespace lacuna::reports
