// threads: what each host thread did. Busy is the union of its rows.

#include "core/analysis/host_tree.h"
#include "core/base/interval_set.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"

#include <algorithm>
#include <vector>

namespace lacuna::reports {

namespace {

struct HostThread {
    ThreadId thread;
    std::int64_t rows = 0, operators = 0, calls = 0, launches = 0;
    std::int64_t busyNs = 0, callNs = 0, osNs = 0;
};

bool isSelectedRow(const ReportInput& input, TimeRange range) {
    return !input.options.range || overlaps(*input.options.range, range.begin.v, range.end.v);
}

TimeRange cutToRange(const ReportInput& input, TimeRange range) {
    return input.options.range ? intersection(range, *input.options.range) : range;
}

HostThread summariseThread(const ReportInput& input, const HostTree& tree, ThreadId thread, RowPoll& poll) {
    const Trace& trace = input.trace;
    HostThread result;
    result.thread = thread;
    std::vector<TimeRange> all, calls, os;
    const HostTree::ThreadPart& part = tree.part(thread);
    for (HostRow row{part.firstRow}; row.v < part.lastRow && poll.tick(); ++row.v) {
        const TimeRange whole = tree.range(row);
        if (!isSelectedRow(input, whole))
            continue;
        const EventKind kind = tree.kind(row);
        const TimeRange range = cutToRange(input, whole);
        ++result.rows;
        result.operators += kind == EventKind::CpuOp ? 1 : 0;
        const HostRow parent = tree.parent(row);
        if (!parent || whole.end > tree.range(parent).end) // the others lie in their parents
            all.push_back(range);
        if (isHostCall(kind)) {
            ++result.calls;
            calls.push_back(range);
            const EventId e = tree.event(row);
            result.launches +=
                trace.correlations().deviceOps(trace.events().correlation[e.v]).empty() ? 0 : 1;
        } else if (kind == EventKind::OsRuntime) {
            os.push_back(range);
        }
    }
    result.busyNs = IntervalSet::fromUnsorted(std::move(all)).measure().v;
    result.callNs = IntervalSet::fromUnsorted(std::move(calls)).measure().v;
    result.osNs = IntervalSet::fromUnsorted(std::move(os)).measure().v;
    return result;
}

} // namespace

Result<ReportTable> threads(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const auto tree = HostTree::build(trace, {}, job);
    if (!tree)
        return tree.error();
    std::vector<HostThread> threads;
    RowPoll poll(job);
    for (std::uint32_t t = 0; t < trace.threads().size(); ++t)
        if (HostThread one = summariseThread(input, *tree, {t}, poll); one.rows != 0)
            threads.push_back(one);
    if (job.cancelled())
        return cancelledError();
    std::stable_sort(threads.begin(), threads.end(),
                     [](const HostThread& a, const HostThread& b) { return a.busyNs > b.busyNs; });
    const std::int64_t windowNs = (input.options.range ? *input.options.range : trace.window()).length().v;
    ReportTable table({textColumn("Process"), textColumn("Thread"), integerColumn("Rows"),
                       nsColumn("Busy (ns)"), decimalColumn("Busy (%)", 1), integerColumn("Operators"),
                       integerColumn("CUDA Calls"), nsColumn("In CUDA Calls (ns)"),
                       integerColumn("Launching Calls"), nsColumn("In OS Calls (ns)")});
    for (const HostThread& one : threads) {
        const Thread& thread = trace.threads()[one.thread.v];
        ReportTable::Row row = table.addRow();
        row.text(thread.process ? trace.processes()[thread.process.v].idText : std::string())
            .text(trace.threadTitle(one.thread))
            .integer(one.rows)
            .ns(one.busyNs)
            .decimal(windowNs == 0 ? 0.0
                                   : 100.0 * static_cast<double>(one.busyNs) / static_cast<double>(windowNs))
            .integer(one.operators)
            .integer(one.calls)
            .ns(one.callNs)
            .integer(one.launches)
            .ns(one.osNs);
    }
    if (table.rows() == 0)
        table.addNote("The trace has no rows of host threads.");
    return table;
}

} // namespace lacuna::reports
