// gpu_gaps: times without work on a device, the longest first; the profiler's own overhead between the first
// and the last operation counts as work. The vendor cuts its list of each device before it sorts and may lose
// the longest gap; here the list is sorted first. Corrected: gaps longer than 20 us and 0.1 % of the device's
// span instead of 500 ms, which hardly any gap is; overheads by the start of their names (the vendor's three
// exact names match next to nothing); whole-graph launches are work.

#include "core/report/builtin.h"
#include "core/report/device_work.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <array>

namespace lacuna::reports {

namespace {

constexpr std::int64_t kVendorGapNs = 500'000'000, kShortGapNs = 20'000, kSpanPerGap = 1'000;

bool isProfilerOverhead(std::string_view name, bool corrected) {
    constexpr std::array<std::string_view, 3> kExact = {
        "CUDA profiling data flush overhead", "CUDA profiling stop overhead", "CUDA profiling overhead"};
    return corrected ? name.starts_with("CUDA profiling") || name.starts_with("CUPTI")
                     : std::find(kExact.begin(), kExact.end(), name) != kExact.end();
}

struct OverheadRow {
    ProcessId process;
    TimeRange range;
};

struct DeviceHole {
    TimeRange range;
    DeviceId device;
    EventId next; // the operation that ends it
};

Result<std::vector<OverheadRow>> profilerOverheads(const ReportInput& input, JobControl& job) {
    std::vector<OverheadRow> rows;
    const bool done = forEachRow(input, kindBit(EventKind::Overhead), job, [&](EventId e, const Lane& lane) {
        if (isProfilerOverhead(input.trace.nameOf(e), input.options.corrected))
            rows.push_back({lane.process, input.trace.events().range(e)});
    });
    if (!done)
        return cancelledError();
    const auto isEarlier = [](const OverheadRow& a, const OverheadRow& b) {
        return a.range.begin < b.range.begin;
    };
    RowPoll poll(job);
    if (!sortRows(rows, poll, isEarlier))
        return cancelledError();
    return rows;
}

// One sweep over operations and overheads; a gap that an overhead ends is followed by the next operation.
// False: cancelled.
bool findHoles(const Trace& trace, const DeviceWorkRows& work, const std::vector<OverheadRow>& overheads,
               std::int64_t longerThan, std::vector<DeviceHole>& holes, const JobControl& job) {
    const ProcessId process = trace.devices()[work.device.v].process;
    std::int64_t busyUntil = work.firstStart;
    auto overhead = overheads.begin();
    const auto busy = [&](std::int64_t begin, std::int64_t end, EventId next) {
        if (begin - busyUntil > longerThan)
            holes.push_back({{{busyUntil}, {begin}}, work.device, next});
        busyUntil = std::max(busyUntil, end);
    };
    RowPoll poll(job);
    for (const EventId op : work.ops) {
        if (!poll.tick())
            return false;
        const TimeRange range = trace.events().range(op);
        for (; overhead != overheads.end() && overhead->range.begin < range.begin; ++overhead)
            if (overhead->process == process && overhead->range.begin.v >= work.firstStart &&
                overhead->range.end.v <= work.lastEnd)
                busy(overhead->range.begin.v, overhead->range.end.v, op);
        busy(range.begin.v, range.end.v, op);
    }
    return true;
}

} // namespace

Result<ReportTable> gpuGaps(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const bool corrected = input.options.corrected;
    const auto devices =
        workByDevice(input, kGpuKinds | (corrected ? kindBit(EventKind::GraphLaunch) : 0), job);
    if (!devices)
        return devices.error();
    const auto overheads = profilerOverheads(input, job);
    if (!overheads)
        return overheads.error();
    std::vector<DeviceHole> holes;
    for (const DeviceWorkRows& work : *devices) {
        const std::int64_t threshold =
            corrected ? std::max(kShortGapNs, (work.lastEnd - work.firstStart) / kSpanPerGap) : kVendorGapNs;
        if (!findHoles(trace, work, *overheads, threshold, holes, job))
            return cancelledError();
    }
    const auto isLonger = [](const DeviceHole& a, const DeviceHole& b) {
        return a.range.length() > b.range.length();
    };
    RowPoll poll(job);
    if (!sortRows(holes, poll, isLonger))
        return cancelledError();
    std::vector<EventId> next;
    next.reserve(holes.size());
    for (const DeviceHole& hole : holes)
        next.push_back(hole.next);
    const auto contexts = contextsOf(input, next, job);
    if (!contexts)
        return contexts.error();
    ReportTable table({integerColumn("Row#"), nsColumn("Duration (ns)"), nsColumn("Start (ns)"),
                       integerColumn("PID"), integerColumn("Device ID"), integerColumn("Context ID")});
    for (std::size_t i = 0; i < holes.size(); ++i) {
        if (!poll.tick())
            return cancelledError();
        table.addRow()
            .integer(static_cast<std::int64_t>(i) + 1)
            .ns(holes[i].range.length().v)
            .ns(holes[i].range.begin.v)
            .integer(launchingProcessOf(trace, holes[i].device))
            .integer(ordinalOf(trace, holes[i].device))
            .integer((*contexts)[i]);
    }
    if (table.rows() == 0)
        table.addNote(corrected
                          ? "No gap is longer than 20 us and 0.1 % of the span of its device."
                          : "No gap is longer than 500 ms; --corrected has a scale of the trace's own.");
    return table;
}

} // namespace lacuna::reports
