// idle: the idle time of each device by cause, as `lacuna gaps` has it.

#include "core/analysis/gap_analysis.h"
#include "core/report/builtin.h"
#include "core/report/selected_devices.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace lacuna::reports {

namespace {

void addCauses(ReportTable& table, std::int64_t ordinal, const GapTotals& totals) {
    std::vector<std::size_t> causes;
    for (std::size_t c = 0; c < kGapCauses; ++c)
        if (totals.causeGaps[c] != 0 || totals.partNs[c] != 0)
            causes.push_back(c);
    std::stable_sort(causes.begin(), causes.end(),
                     [&](std::size_t a, std::size_t b) { return totals.partNs[a] > totals.partNs[b]; });
    for (const std::size_t c : causes) {
        const auto cause = static_cast<GapCause>(c);
        table.addRow()
            .integer(ordinal)
            .text(causeName(cause))
            .text(className(classOf(cause)))
            .ns(totals.partNs[c])
            .decimal(totals.idleNs == 0
                         ? 0.0
                         : 100.0 * static_cast<double>(totals.partNs[c]) / static_cast<double>(totals.idleNs))
            .integer(totals.causeGaps[c])
            .ns(totals.causeNs[c]);
    }
}

} // namespace

Result<ReportTable> idle(const ReportInput& input, JobControl& job) {
    // Not owned: the analysis ends with this function.
    const std::shared_ptr<const Trace> trace(std::shared_ptr<const Trace>(), &input.trace);
    const auto gaps = GapAnalysis::run(trace, {}, job);
    if (!gaps)
        return gaps.error();
    ReportTable table({integerColumn("Device"), textColumn("Cause"), textColumn("Class"),
                       nsColumn("Idle (ns)"), decimalColumn("Share of idle (%)", 1), integerColumn("Gaps"),
                       nsColumn("Gaps Total (ns)")});
    for (const DeviceId device : selectedDevices(input)) {
        const GapTotals totals =
            input.options.range ? (*gaps)->totals(device, *input.options.range) : (*gaps)->totals(device);
        addCauses(table, input.trace.devices()[device.v].ordinal, totals);
    }
    table.addNote(table.rows() == 0
                      ? "No device was idle between its first and its last operation."
                      : "Idle: every gap split by cause. Gaps and their total: whole gaps by their "
                        "main cause. Both sum to the idle time.");
    return table;
}

} // namespace lacuna::reports
