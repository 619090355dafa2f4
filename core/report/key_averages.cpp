// key_averages: the table that PyTorch's profiler prints, with its columns in its order.

#include "core/analysis/key_averages.h"

#include "core/report/builtin.h"

#include <utility>

namespace lacuna::reports {

namespace {

ReportColumn alsoNamed(ReportColumn column, std::vector<std::string> names) {
    column.otherNames = std::move(names);
    return column;
}

// PyTorch's titles and, for --sort, its attribute names in both spellings of device time.
std::vector<ReportColumn> averageColumns() {
    return {alsoNamed(textColumn("Name"), {"key"}),
            decimalColumn("Self CPU %", 2),
            alsoNamed(nsColumn("Self CPU (ns)"), {"self_cpu_time_total"}),
            decimalColumn("CPU total %", 2),
            alsoNamed(nsColumn("CPU total (ns)"), {"cpu_time_total"}),
            alsoNamed(decimalColumn("CPU time avg (ns)", 1), {"cpu_time"}),
            alsoNamed(nsColumn("Self CUDA (ns)"), {"self_cuda_time_total", "self_device_time_total"}),
            decimalColumn("Self CUDA %", 2),
            alsoNamed(nsColumn("CUDA total (ns)"), {"cuda_time_total", "device_time_total"}),
            alsoNamed(decimalColumn("CUDA time avg (ns)", 1), {"cuda_time", "device_time"}),
            alsoNamed(integerColumn("# of Calls"), {"count", "calls"})};
}

void addShare(ReportTable::Row& row, std::int64_t part, std::int64_t whole) {
    if (whole == 0)
        row.empty();
    else
        row.decimal(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

} // namespace

Result<ReportTable> keyAverages(const ReportInput& input, JobControl& job) {
    const auto averages = lacuna::keyAverages(input.trace, input.options.range, job);
    if (!averages)
        return averages.error();
    ReportTable table(averageColumns());
    for (const KeyAverage& average : averages->rows) {
        const auto calls = static_cast<std::int64_t>(average.calls);
        ReportTable::Row row = table.addRow();
        row.text(average.isStep ? "ProfilerStep*" : input.trace.strings().view(average.name));
        addShare(row, average.selfHostNs, averages->selfHostNs);
        row.ns(average.selfHostNs);
        addShare(row, average.hostNs, averages->selfHostNs);
        row.ns(average.hostNs).ratio(average.hostNs, calls).ns(average.selfDeviceNs);
        addShare(row, average.selfDeviceNs, averages->deviceNs);
        row.ns(average.deviceNs).ratio(average.deviceNs, calls).integer(calls);
    }
    table.addNote(table.rows() == 0 ? std::string("The trace has no host rows and no device work.")
                                    : "Self CPU time total: " + std::to_string(averages->selfHostNs) +
                                          " ns; self CUDA time total: " + std::to_string(averages->deviceNs) +
                                          " ns. Both run at the same time: do not add them.");
    return table;
}

} // namespace lacuna::reports
