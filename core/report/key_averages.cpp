// key_averages: the table that PyTorch's profiler prints, with its columns in its order.

#include "core/analysis/key_averages.h"

#include "core/report/average_labels.h"
#include "core/report/builtin.h"
#include "core/report/report_evidence.h"
#include "core/report/row_evidence.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace lacuna::reports {

namespace {

ReportColumn averageColumn(ReportColumn column, std::vector<std::string> names, std::string_view meaning) {
    column.otherNames = std::move(names);
    column.meaning = meaning;
    return column;
}

// PyTorch's titles with what they mean there and, for --sort, its attribute names in both spellings of device
// time. Memory and the group only where they are known and asked for (features.md B08, C18, C23).
std::vector<ReportColumn> averageColumns(bool hasMemory, AverageGroup group) {
    std::vector<ReportColumn> columns = {
        averageColumn(textColumn("Name"), {"key"},
                      "Operators, calls, ranges and device work by name. A range and its projection on the "
                      "device are two rows; all ProfilerStep ranges are one."),
        averageColumn(decimalColumn("Self CPU %", 2), {}, "Self CPU as a share of that of all rows."),
        averageColumn(
            nsColumn("Self CPU (ns)"), {"self_cpu_time_total"},
            "Time on the host in these rows themselves: without the rows that stand directly in them."),
        averageColumn(
            decimalColumn("CPU total %", 2), {},
            "CPU total as a share of the self CPU time of all rows. Rows in others count in both, so "
            "the shares add up to more than 100 %."),
        averageColumn(nsColumn("CPU total (ns)"), {"cpu_time_total"},
                      "Time on the host from begin to end of these rows, with all that stands in them."),
        averageColumn(decimalColumn("CPU time avg (ns)", 1), {"cpu_time"},
                      "CPU total by the number of calls."),
        averageColumn(
            nsColumn("Self CUDA (ns)"), {"self_cuda_time_total", "self_device_time_total"},
            "Time on the device of the kernels, copies and memsets that these rows launched themselves; "
            "of a row of the device its own time. It runs beside the CPU time: never add the two."),
        averageColumn(decimalColumn("Self CUDA %", 2), {},
                      "Self CUDA as a share of the time of all kernels, copies and memsets."),
        averageColumn(
            nsColumn("CUDA total (ns)"), {"cuda_time_total", "device_time_total"},
            "Self CUDA of these rows and of all rows that stand in them: of an operator that only calls "
            "others, what those launched. It runs beside the CPU time: never add the two."),
        averageColumn(decimalColumn("CUDA time avg (ns)", 1), {"cuda_time", "device_time"},
                      "CUDA total by the number of calls.")};
    if (hasMemory) {
        columns.push_back(
            averageColumn(integerColumn("CPU Mem (bytes)"), {"cpu_memory_usage"},
                          "Host memory that was allocated less what was freed during these rows."));
        columns.push_back(averageColumn(integerColumn("Self CPU Mem (bytes)"), {"self_cpu_memory_usage"},
                                        "The same without the rows that stand directly in them."));
        columns.push_back(
            averageColumn(integerColumn("CUDA Mem (bytes)"), {"cuda_memory_usage", "device_memory_usage"},
                          "Device memory that was allocated less what was freed during these rows."));
        columns.push_back(averageColumn(integerColumn("Self CUDA Mem (bytes)"),
                                        {"self_cuda_memory_usage", "self_device_memory_usage"},
                                        "The same without the rows that stand directly in them."));
    }
    columns.push_back(averageColumn(integerColumn("# of Calls"), {"count", "calls"},
                                    "Rows that are counted. One that is alone in a row of the same name is "
                                    "counted with that one, as PyTorch does."));
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

void addAverage(ReportTable& table, const Trace& trace, const KeyAverage& average, const KeyAverages& all,
                bool hasMemory, const AverageLabelTexts& labels, bool isGrouped) {
    const auto calls = static_cast<std::int64_t>(average.calls);
    ReportTable::Row row = table.addRow();
    row.about(average.first).unfolds(average.hasInside);
    if (average.isStep)
        row.text("ProfilerStep*");
    else
        row.text(trace.strings().view(average.name));
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

std::string insideText(const std::vector<AverageParent>& inside) {
    std::string text;
    for (const AverageParent& one : inside)
        text += (text.empty() ? "" : " > ") + one.name;
    return text;
}

// What a table of averages is made of; the options point into it.
struct AverageSource {
    HostTree tree;
    AverageLabelTexts labels;

    KeyAverageOptions options(const ReportInput& input) const {
        KeyAverageOptions options;
        options.window = input.options.range;
        options.labels = input.options.groupBy == AverageGroup::Name ? nullptr : &labels.labels;
        options.inside = input.options.inside;
        return options;
    }
};

Result<std::unique_ptr<AverageSource>> averageSource(const ReportInput& input, JobControl& job) {
    auto tree = HostTree::build(input.trace, {false, false}, job);
    if (!tree)
        return tree.error();
    auto source = std::make_unique<AverageSource>();
    source->tree = *std::move(tree);
    auto labels = averageLabels(input, source->tree, input.options.groupBy, job);
    if (!labels)
        return labels.error();
    source->labels = *std::move(labels);
    return source;
}

} // namespace

Result<ReportTable> keyAverages(const ReportInput& input, JobControl& job) {
    const AverageGroup group = input.options.groupBy;
    const auto source = averageSource(input, job);
    if (!source)
        return source.error();
    const auto memory = memoryChanges(input, job);
    if (!memory)
        return memory.error();
    KeyAverageOptions options = (*source)->options(input);
    options.memory = *memory;
    const auto averages = lacuna::keyAverages(input.trace, (*source)->tree, options, job);
    if (!averages)
        return averages.error();
    const bool hasMemory = !memory->empty();
    ReportTable table(averageColumns(hasMemory, group));
    for (const KeyAverage& average : averages->rows)
        addAverage(table, input.trace, average, *averages, hasMemory, (*source)->labels,
                   group != AverageGroup::Name);
    if (table.rows() == 0)
        table.addNote(input.options.inside.empty() ? "The trace has no host rows and no device work."
                                                   : "Nothing stands directly in rows of this name.");
    else if (input.options.inside.empty())
        table.addNote(totalsSentence(*averages));
    else
        table.addNote("Only what stands directly in " + insideText(input.options.inside) +
                      "; shares are of the whole trace.");
    return table;
}

} // namespace lacuna::reports

namespace lacuna::evidence {

// The rows that are counted in it: not those of its name that are merged into another, and of its group
// alone.
Found averages(const Asked& asked) {
    const EventId first = evidenceOf(asked.table, asked.row).event;
    const auto source = reports::averageSource(asked.input, asked.job);
    if (!source)
        return source.error();
    std::vector<std::pair<EventId, std::size_t>> counted;
    KeyAverageOptions options = (*source)->options(asked.input);
    options.visit = [&counted](EventId event, std::size_t place) { counted.emplace_back(event, place); };
    const auto averages = lacuna::keyAverages(asked.input.trace, (*source)->tree, options, asked.job);
    if (!averages)
        return averages.error();
    const auto at =
        std::find_if(counted.begin(), counted.end(), [first](const auto& one) { return one.first == first; });
    std::vector<EventId> found;
    if (at != counted.end())
        for (const auto& [event, place] : counted)
            if (place == at->second)
                found.push_back(event);
    return found;
}

} // namespace lacuna::evidence
