// Reports under the names of Holistic Trace Analysis: exact by default, as that tool prints them with
// --definition hta (analysis.md section 2.1).

#include "core/report/builtin.h"
#include "core/report/hta_input.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace lacuna::reports {

namespace {

// Device rows, for questions that no launching call is part of.
Result<std::vector<HtaRow>> rowsWithoutCalls(const ReportInput& input, JobControl& job) {
    HtaOptions options = htaOptionsOf(input);
    options.calls = false;
    return htaRows(input.trace, options, job);
}

} // namespace

Result<ReportTable> temporalBreakdown(const ReportInput& input, JobControl& job) {
    const auto rows = rowsWithoutCalls(input, job);
    if (!rows)
        return rows.error();
    ReportTable table({nsColumn("Idle Time (ns)"), nsColumn("Compute Time (ns)"),
                       nsColumn("Non-Compute Time (ns)"), nsColumn("Kernel Time (ns)"),
                       decimalColumn("Idle (%)", 2), decimalColumn("Compute (%)", 2),
                       decimalColumn("Non-Compute (%)", 2)});
    if (!rows->empty()) {
        const HtaTemporal times = htaTemporal(*rows, job);
        if (job.cancelled())
            return cancelledError();
        ReportTable::Row row = table.addRow();
        row.ns(times.idleNs).ns(times.computeNs).ns(times.nonComputeNs).ns(times.spanNs);
        for (const std::int64_t part : {times.idleNs, times.computeNs, times.nonComputeNs})
            addHtaShare(row, part, times.spanNs);
    }
    addHtaNote(table, input, "The trace has no device work.");
    return table;
}

Result<ReportTable> commCompOverlap(const ReportInput& input, JobControl& job) {
    const auto rows = rowsWithoutCalls(input, job);
    if (!rows)
        return rows.error();
    ReportTable table(
        {nsColumn("Communication (ns)"), nsColumn("Overlapped (ns)"), decimalColumn("Overlap (%)", 2)});
    const HtaOverlap overlap = htaOverlap(*rows, job);
    if (job.cancelled())
        return cancelledError();
    if (overlap.communicationNs != 0) {
        ReportTable::Row row = table.addRow();
        row.ns(overlap.communicationNs).ns(overlap.overlappedNs);
        addHtaShare(row, overlap.overlappedNs, overlap.communicationNs);
    }
    addHtaNote(table, input, "The trace has no communication kernels: there is nothing to overlap.");
    return table;
}

Result<ReportTable> gpuKernelBreakdown(const ReportInput& input, JobControl& job) {
    const auto rows = rowsWithoutCalls(input, job);
    if (!rows)
        return rows.error();
    constexpr std::array<std::string_view, 3> kNames{"COMPUTATION", "COMMUNICATION", "MEMORY"};
    const auto times = htaKernelTypes(*rows, htaOptionsOf(input), job);
    if (job.cancelled())
        return cancelledError();
    std::vector<std::pair<std::int64_t, std::string>> types;
    std::int64_t all = 0;
    for (unsigned mask = 1; mask < times.size(); ++mask) {
        std::string name;
        for (unsigned k = 0; k < kNames.size(); ++k)
            if ((mask >> k & 1u) != 0)
                name.append(name.empty() ? "" : " overlapping ").append(kNames[k]);
        all += times[mask];
        if (times[mask] != 0)
            types.emplace_back(times[mask], std::move(name));
    }
    std::stable_sort(types.begin(), types.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    ReportTable table({textColumn("Kernel Type"), nsColumn("Sum (ns)"), decimalColumn("Percentage (%)", 1)});
    for (const auto& [ns, name] : types) {
        ReportTable::Row row = table.addRow();
        row.text(name).ns(ns);
        addHtaShare(row, ns, all);
    }
    addHtaNote(table, input, "The trace has no device work.");
    return table;
}

Result<ReportTable> idleTimeBreakdown(const ReportInput& input, JobControl& job) {
    const HtaOptions options = htaOptionsOf(input);
    const auto rows = htaRows(input.trace, options, job);
    if (!rows)
        return rows.error();
    std::vector<ReportColumn> columns = {integerColumn("Stream"), textColumn("Idle Category"),
                                         nsColumn("Idle Time (ns)"), decimalColumn("Ratio (%)", 1),
                                         integerColumn("Gaps")};
    addDistributionColumns(columns, " (ns)", 1);
    ReportTable table(std::move(columns));
    const std::vector<HtaIdle> idles = htaIdle(*rows, options, kHtaConsecutiveNs, job);
    for (const HtaIdle& idle : idles)
        for (const HtaIdleKind kind : {HtaIdleKind::HostWait, HtaIdleKind::KernelWait, HtaIdleKind::Other}) {
            if (job.cancelled())
                return cancelledError();
            const auto k = static_cast<std::size_t>(kind);
            if (idle.gapsNs[k].empty())
                continue;
            ReportTable::Row row = table.addRow();
            row.integer(idle.stream).text(htaIdleName(kind)).ns(idle.ns[k]);
            addHtaShare(row, idle.ns[k], idle.ns[0] + idle.ns[1] + idle.ns[2]);
            row.integer(static_cast<std::int64_t>(idle.gapsNs[k].size()));
            addDistribution(row, distributionOf(idle.gapsNs[k]));
        }
    if (job.cancelled())
        return cancelledError();
    addHtaNote(table, input, "No stream was idle between two of its operations.");
    return table;
}

Result<ReportTable> cudaKernelLaunchStats(const ReportInput& input, JobControl& job) {
    const HtaOptions options = htaOptionsOf(input);
    const auto rows = htaRows(input.trace, options, job);
    if (!rows)
        return rows.error();
    ReportTable table({integerColumn("Correlation"), nsColumn("CPU Duration (ns)"),
                       nsColumn("GPU Duration (ns)"), nsColumn("Launch Delay (ns)"), textColumn("Call"),
                       textColumn("Name")});
    const EventTable& events = input.trace.events();
    RowPoll poll(job);
    for (const HtaLaunch& launch : htaLaunches(input.trace, *rows, options, job)) {
        if (!poll.tick())
            return cancelledError();
        table.addRow()
            .about(launch.op)
            .integer(input.trace.correlations().correlationId(events.correlation[launch.op.v]))
            .ns(launch.hostNs)
            .ns(launch.deviceNs)
            .ns(launch.delayNs)
            .text(input.trace.nameOf(launch.call))
            .text(input.trace.nameOf(launch.op));
    }
    if (job.cancelled())
        return cancelledError();
    addHtaNote(table, input, "No operation of the device has a recorded launching call.");
    return table;
}

} // namespace lacuna::reports
