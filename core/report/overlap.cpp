// overlap: what ran at the same time on each device. Works: sum of durations beside the union, and how much
// of it nothing else hid. States: exclusive, they sum to the span (analysis.md section 3).

#include "core/analysis/busy_devices.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/selected_devices.h"

#include <array>
#include <string>
#include <utility>

namespace lacuna::reports {

namespace {

constexpr std::array kSingleWorks{kCompute, kCommunication, kCopy, kSet};

std::size_t indexOf(DeviceWork work) {
    return static_cast<std::size_t>(__builtin_ctz(work));
}

// Sums of durations by work; rows that the range cuts count with their part in it.
class WorkSums {
public:
    bool add(const ReportInput& input, DeviceId device, JobControl& job) {
        const Trace& trace = input.trace;
        m_known.resize(trace.strings().size(), 0);
        return forEachRow(input, kGpuKinds | kindBit(EventKind::GraphLaunch), job,
                          [&](EventId e, const Lane& lane) {
                              if (lane.device != device)
                                  return;
                              TimeRange range = trace.events().range(e);
                              if (input.options.range)
                                  range = intersection(range, *input.options.range);
                              std::int64_t& sum = m_ns[indexOf(workOfRow(trace, e))];
                              sum = saturatingAdd(sum, range.length().v);
                          });
    }
    std::int64_t of(DeviceWork work) const { return m_ns[indexOf(work)]; }
    std::int64_t all() const {
        return saturatingAdd(saturatingAdd(m_ns[0], m_ns[1]), saturatingAdd(m_ns[2], m_ns[3]));
    }

private:
    DeviceWork workOfRow(const Trace& trace, EventId e) {
        if (trace.events().kind[e.v] != EventKind::Kernel)
            return workOf(trace, e);
        std::uint8_t& known = m_known[trace.events().name[e.v].v]; // names are long and few
        if (known == 0)
            known = workOf(trace, e);
        return static_cast<DeviceWork>(known);
    }

    std::array<std::int64_t, 4> m_ns{};
    std::vector<std::uint8_t> m_known; // by name
};

struct WorkLine {
    std::string name;
    std::int64_t sumNs = 0, unionNs = 0, exposedNs = 0;
};

// Compute hides everything, communication hides copies.
std::int64_t exposedNs(const DeviceBusy& busy, DeviceWork work) {
    const unsigned hiddenBy = work == kCompute         ? 0u
                              : work == kCommunication ? unsigned{kCompute}
                                                       : unsigned{kCompute} | kCommunication;
    std::int64_t sum = 0;
    for (unsigned mask = 1; mask < busy.stateNs.size(); ++mask)
        if ((mask & work) != 0 && (mask & hiddenBy) == 0)
            sum += busy.stateNs[mask];
    return sum;
}

void addWork(ReportTable& table, std::int64_t ordinal, const WorkLine& line, std::int64_t spanNs) {
    table.addRow()
        .integer(ordinal)
        .text("work")
        .text(line.name)
        .ns(line.sumNs)
        .ns(line.unionNs)
        .decimal(spanNs == 0 ? 0.0 : 100.0 * static_cast<double>(line.unionNs) / static_cast<double>(spanNs))
        .ns(line.exposedNs)
        .ns(line.unionNs - line.exposedNs);
}

void addStates(ReportTable& table, std::int64_t ordinal, const DeviceBusy& busy) {
    const std::int64_t spanNs = busy.span.length().v;
    for (unsigned mask = 0; mask < busy.stateNs.size(); ++mask) {
        const std::int64_t ns = busy.stateNs[mask];
        if (ns == 0 && mask != 0)
            continue;
        table.addRow()
            .integer(ordinal)
            .text("state")
            .text(stateName(mask))
            .empty()
            .ns(ns)
            .decimal(spanNs == 0 ? 0.0 : 100.0 * static_cast<double>(ns) / static_cast<double>(spanNs))
            .empty()
            .empty();
    }
}

} // namespace

Result<ReportTable> overlap(const ReportInput& input, JobControl& job) {
    ReportTable table({integerColumn("Device"), textColumn("Kind"), textColumn("Name"), nsColumn("Sum (ns)"),
                       nsColumn("Union (ns)"), decimalColumn("Share of span (%)", 1),
                       nsColumn("Exposed (ns)"), nsColumn("Overlapped (ns)")});
    BusyDevices devices(input.trace);
    bool hasEdges = false;
    for (const DeviceId device : selectedDevices(input)) {
        DeviceBusy busy = devices.busy(device, job);
        if (job.cancelled())
            return cancelledError();
        if (busy.ops == 0)
            continue;
        if (const auto& range = input.options.range) {
            if (range->end <= busy.span.begin || range->begin >= busy.span.end)
                continue;
            hasEdges = hasEdges || range->begin < busy.span.begin || range->end > busy.span.end;
            busy = busyWithin(busy, *range, job);
        }
        WorkSums sums;
        if (!sums.add(input, device, job) || job.cancelled())
            return cancelledError();
        const std::int64_t ordinal = input.trace.devices()[device.v].ordinal;
        const std::int64_t spanNs = busy.span.length().v;
        addWork(table, ordinal, {"all", sums.all(), busy.busyNs, busy.busyNs}, spanNs);
        for (const DeviceWork work : kSingleWorks)
            if (const std::int64_t unionNs = busy.byWork[indexOf(work)].measure().v; sums.of(work) != 0)
                addWork(table, ordinal, {stateName(work), sums.of(work), unionNs, exposedNs(busy, work)},
                        spanNs);
        addStates(table, ordinal, busy);
    }
    if (table.rows() == 0) {
        table.addNote("The trace has no device work.");
        return table;
    }
    std::string words;
    for (const std::string_view word : communicationNames())
        words.append(words.empty() ? "" : ", ").append(word);
    table.addNote("Communication: kernels whose name contains one of " + words +
                  ". Exposed: not hidden by compute (copies: nor by communication).");
    if (hasEdges)
        table.addNote("The range begins before the first or ends after the last operation of a device: its "
                      "idle time here has those edges too; the report idle leaves them out.");
    return table;
}

} // namespace lacuna::reports
