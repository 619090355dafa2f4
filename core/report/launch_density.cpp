// launch_density: launches per ms of each thread, beside how busy the devices were meanwhile (features.md
// D06). A ms with more than kDenseLaunches is dense: many packed launches may mean launch-bound, but only
// where the GPU was not busy.

#include "core/analysis/launch_density.h"

#include "core/analysis/busy_devices.h"
#include "core/base/interval_set.h"
#include "core/base/text_format.h"
#include "core/report/report_rows.h"
#include "core/report/selected_devices.h"
#include "core/report/work_reports.h"

#include <string>

namespace lacuna::reports {

namespace {

// When an operation ran on any of the selected devices.
IntervalSet busyOfDevices(const ReportInput& input, JobControl& job) {
    BusyDevices devices(input.trace);
    std::vector<TimeRange> busy;
    for (const DeviceId device : selectedDevices(input)) {
        const DeviceBusy one = devices.busy(device, job);
        busy.insert(busy.end(), one.busy.ranges().begin(), one.busy.ranges().end());
    }
    return IntervalSet::fromUnsorted(std::move(busy));
}

} // namespace

Result<ReportTable> launchDensity(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const IntervalSet busy = busyOfDevices(input, job);
    ReportTable table({textColumn("Thread"), nsColumn("Start (ns)"), nsColumn("Duration (ns)"),
                       integerColumn("Launches"), textColumn("Dense"), nsColumn("GPU Busy (ns)"),
                       decimalColumn("GPU Busy (%)", 1)});
    std::int64_t cells = 0, dense = 0, idleNs = 0;
    RowPoll poll(job);
    for (std::uint32_t k = 0; k < trace.lanes().size(); ++k) {
        const Lane& lane = trace.lane({k});
        if (lane.kind != LaneKind::CudaApi)
            continue;
        if (job.cancelled())
            return cancelledError();
        const StringId thread = table.textId(lane.thread ? trace.threadTitle(lane.thread) : std::string());
        const StringId yes = table.textId("dense"), no = table.textId("");
        for (const LaunchCell& cell : launchCells(trace, {k})) {
            if (!poll.tick())
                return cancelledError();
            const TimeRange range = cell.range();
            if (input.options.range && !overlaps(*input.options.range, range.begin.v, range.end.v))
                continue;
            const std::int64_t busyNs = busy.measureIn(range).v;
            ++cells;
            dense += cell.isDense() ? 1 : 0;
            idleNs += cell.isDense() ? kLaunchCellNs - busyNs : 0;
            ReportTable::Row row = table.addRow();
            row.text(thread)
                .ns(range.begin.v)
                .ns(range.length().v)
                .integer(cell.launches)
                .text(cell.isDense() ? yes : no);
            if (busy.isEmpty()) // no device was recorded, which is not the same as an idle one
                row.empty().empty();
            else
                row.ns(busyNs).decimal(100.0 * static_cast<double>(busyNs) / kLaunchCellNs);
        }
    }
    if (job.cancelled())
        return cancelledError();
    if (cells == 0) {
        table.addNote("The trace has no launches here.");
        return table;
    }
    table.addNote(std::to_string(dense) + " of the " + std::to_string(cells) +
                  " ms with launches are dense: more than " + std::to_string(kDenseLaunches) +
                  " launches of kernels or graphs by one thread.");
    if (busy.isEmpty())
        table.addNote("No work of a device was recorded, so how busy it was is not known.");
    else if (dense > 0)
        table.addNote(
            "The GPU was idle for " +
            formatPercent(static_cast<double>(idleNs) / static_cast<double>(dense * kLaunchCellNs)) +
            " of those. Idle time while launches are packed speaks for launch-bound.");
    return table;
}

} // namespace lacuna::reports
