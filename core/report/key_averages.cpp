// key_averages: the table that PyTorch's profiler prints, with its columns in its order.

#include "core/analysis/key_averages.h"

#include "core/report/average_labels.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"

#include <cmath>
#include <utility>

namespace lacuna::reports {

namespace {

ReportColumn alsoNamed(ReportColumn column, std::vector<std::string> names) {
    column.otherNames = std::move(names);
    return column;
}

// PyTorch's titles and, for --sort, its attribute names in both spellings of device time. Memory and the
// group only where they are known and asked for.
std::vector<ReportColumn> averageColumns(bool hasMemory, AverageGroup group) {
    std::vector<ReportColumn> columns = {
        alsoNamed(textColumn("Name"), {"key"}),
        decimalColumn("Self CPU %", 2),
        alsoNamed(nsColumn("Self CPU (ns)"), {"self_cpu_time_total"}),
        decimalColumn("CPU total %", 2),
        alsoNamed(nsColumn("CPU total (ns)"), {"cpu_time_total"}),
        alsoNamed(decimalColumn("CPU time avg (ns)", 1), {"cpu_time"}),
        alsoNamed(nsColumn("Self CUDA (ns)"), {"self_cuda_time_total", "self_device_time_total"}),
        decimalColumn("Self CUDA %", 2),
        alsoNamed(nsColumn("CUDA total (ns)"), {"cuda_time_total", "device_time_total"}),
        alsoNamed(decimalColumn("CUDA time avg (ns)", 1), {"cuda_time", "device_time"})};
    if (hasMemory) {
        columns.push_back(alsoNamed(integerColumn("CPU Mem (bytes)"), {"cpu_memory_usage"}));
        columns.push_back(alsoNamed(integerColumn("Self CPU Mem (bytes)"), {"self_cpu_memory_usage"}));
        columns.push_back(
            alsoNamed(integerColumn("CUDA Mem (bytes)"), {"cuda_memory_usage", "device_memory_usage"}));
        columns.push_back(alsoNamed(integerColumn("Self CUDA Mem (bytes)"),
                                    {"self_cuda_memory_usage", "self_device_memory_usage"}));
    }
    columns.push_back(alsoNamed(integerColumn("# of Calls"), {"count", "calls"}));
    if (group != AverageGroup::Name)
        columns.push_back(textColumn(std::string(averageLabelTitle(group))));
    return columns;
}

void addShare(ReportTable::Row& row, std::int64_t part, std::int64_t whole) {
    if (whole == 0)
        row.empty();
    else
        row.decimal(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

KindMask kindsOfAverage(const KeyAverage& average) {
    if (average.isRange)
        return kindBit(average.isDevice ? EventKind::GpuRange : EventKind::Range);
    return average.isDevice ? kGpuKinds | kindBit(EventKind::GraphLaunch) | kindBit(EventKind::Sync)
                            : kApiKinds | kindBit(EventKind::CpuOp) | kindBit(EventKind::Overhead);
}

void addAverage(ReportTable& table, const Trace& trace, const KeyAverage& average, const KeyAverages& all,
                bool hasMemory, const AverageLabelTexts& labels, bool isGrouped) {
    const auto calls = static_cast<std::int64_t>(average.calls);
    ReportTable::Row row = table.addRow();
    if (average.isStep)
        row.about(average.first).text("ProfilerStep*");
    else
        row.about(average.name, kindsOfAverage(average)).text(trace.strings().view(average.name));
    addShare(row, average.selfHostNs, all.selfHostNs);
    row.ns(average.selfHostNs);
    addShare(row, average.hostNs, all.selfHostNs);
    row.ns(average.hostNs).ratio(average.hostNs, calls).ns(average.selfDeviceNs);
    addShare(row, average.selfDeviceNs, all.deviceNs);
    row.ns(average.deviceNs).ratio(average.deviceNs, calls);
    if (hasMemory)
        row.integer(average.hostBytes)
            .integer(average.selfHostBytes)
            .integer(average.deviceBytes)
            .integer(average.selfDeviceBytes);
    row.integer(calls);
    if (!isGrouped)
        return;
    if (average.label == 0)
        row.empty();
    else
        row.text(labels.texts.view(StringId{average.label}));
}

// Both totals, and what they say of the device if nothing ran beside the host's work (features.md C23, D24).
std::string totalsSentence(const KeyAverages& averages) {
    std::string text = "Self CPU time total: " + std::to_string(averages.selfHostNs) +
                       " ns; self CUDA time total: " + std::to_string(averages.deviceNs) +
                       " ns. Both run at the same time: do not add them.";
    if (averages.deviceNs == 0 || averages.deviceNs >= averages.selfHostNs)
        return text;
    const double idle = 1 - static_cast<double>(averages.deviceNs) / static_cast<double>(averages.selfHostNs);
    return text + " By them the GPU was idle " + std::to_string(std::lround(100 * idle)) +
           " % (1 - CUDA / CPU), which holds for one thread and one stream only; report overlap measures it.";
}

} // namespace

Result<ReportTable> keyAverages(const ReportInput& input, JobControl& job) {
    const auto tree = HostTree::build(input.trace, {false, false}, job);
    if (!tree)
        return tree.error();
    const AverageGroup group = input.options.groupBy;
    auto labels = averageLabels(input, *tree, group, job);
    if (!labels)
        return labels.error();
    const auto memory = memoryChanges(input, job);
    if (!memory)
        return memory.error();
    KeyAverageOptions options;
    options.window = input.options.range;
    options.labels = group == AverageGroup::Name ? nullptr : &labels->labels;
    options.memory = *memory;
    const auto averages = lacuna::keyAverages(input.trace, *tree, options, job);
    if (!averages)
        return averages.error();
    const bool hasMemory = !memory->empty();
    ReportTable table(averageColumns(hasMemory, group));
    for (const KeyAverage& average : averages->rows)
        addAverage(table, input.trace, average, *averages, hasMemory, *labels, group != AverageGroup::Name);
    table.addNote(table.rows() == 0 ? std::string("The trace has no host rows and no device work.")
                                    : totalsSentence(*averages));
    return table;
}

} // namespace lacuna::reports
