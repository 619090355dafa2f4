#include "core/base/text_format.h"
#include "core/output/csv.h"
#include "core/output/kernels_output.h"
#include "core/output/text_table.h"
#include "core/output/utf8.h"
#include "core/view/short_name.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <string>

namespace lacuna {

namespace {

constexpr std::size_t kShownCommands = 3; // of the kernels with the largest totals

std::string kernelLabel(std::string_view name) {
    const auto forms = shortNames(name, EventKind::Kernel);
    return forms.empty() ? std::string("?") : forms.front();
}

std::string dimText(const Dim3& dim) {
    if (!dim.isKnown())
        return "-";
    return std::to_string(dim.x) + "x" + std::to_string(dim.y) + "x" + std::to_string(dim.z);
}

std::string decimals(const std::optional<double>& value, int places) {
    if (!value)
        return "-";
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", places, *value);
    return text.data();
}

// Shortest form that reads back equal, as in JSON; empty: not known.
std::string plainText(const std::optional<double>& value) {
    if (!value)
        return {};
    std::array<char, 64> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), *value);
    return error == std::errc{} ? std::string(text.data(), end) : std::string();
}

template <class T> std::string plainCount(const std::optional<T>& value) {
    return value ? std::to_string(*value) : std::string();
}

std::string topStallText(const KernelDiagnosis& of) {
    const Stall* const top = of.stalls.top();
    if (top == nullptr)
        return "-";
    return std::string(top->id) + " " + decimals(top->value, 2);
}

std::string boundText(const KernelDiagnosis& of) {
    return of.bound ? std::string(boundName(*of.bound)) : std::string("-");
}

// "12.5 %": theoretical; "-": not known.
std::string occupancyText(const KernelsReport& report, std::size_t group) {
    const auto occupancy = rowOccupancy(report, {group, std::nullopt, {}});
    return occupancy ? formatPercent(occupancy->share()) : std::string("-");
}

void writeTimeline(const KernelsReport& report, TextSink& sink, std::size_t width) {
    const KernelGroups& all = *report.timeline;
    if (all.groups.empty()) {
        sink.write("No kernel is in the trace.\n");
        return;
    }
    TextTable table({{"#", true},
                     {"kernel", false, true},
                     {"family"},
                     {"grid"},
                     {"block"},
                     {"occ.", true},
                     {"count", true},
                     {"total", true},
                     {"share", true},
                     {"median", true},
                     {"p95", true},
                     {"min", true},
                     {"max", true}});
    bool hasFirstApart = false;
    for (std::size_t i = 0; i < all.groups.size(); ++i) {
        const KernelGroup& group = all.groups[i];
        const LaunchConfig& config = all.configOf(group);
        hasFirstApart = hasFirstApart || group.isFirstApart;
        table.add(
            {std::to_string(i + 1), kernelLabel(all.nameOf(group)),
             std::string(familyName(group.kind.family)), dimText(config.grid), dimText(config.block),
             occupancyText(report, i), formatCount(group.count), formatDuration({group.totalNs}),
             formatPercent(group.share), formatDuration({group.medianNs}) + (group.isFirstApart ? "*" : ""),
             formatDuration({group.p95Ns}), formatDuration({group.minNs}), formatDuration({group.maxNs})});
    }
    sink.write("Kernels of " + printable(all.trace->facts().fileName) + ", times of the timeline\n");
    table.write(sink, width, 2);
    sink.write(occupancyIsBuiltIn() ? "  occ.: theoretical occupancy; a clue, not an aim\n"
                                    : "  occ.: theoretical occupancy is " + occupancySource() + "\n");
    if (hasFirstApart)
        sink.write("  * without the first launch, which took 10 times the median or more\n");
}

// What a row of the profiled launches was joined to, for a column and as a sentence.
std::string joinText(const KernelRow& row) {
    if (!row.group)
        return "-";
    return "#" + std::to_string(*row.group + 1) + " " + std::string(joinCertaintyName(row.join.certainty));
}

std::string joinSentence(const KernelRow& row) {
    if (!row.group)
        return " No kernel of that name is in the trace.";
    return " In the trace it is #" + std::to_string(*row.group + 1) + ": " +
           std::string(joinCertaintyName(row.join.certainty)) + ", by " + std::string(row.join.by) + ".";
}

void writeLaunches(const KernelsReport& report, TextSink& sink, std::size_t width) {
    const NcuFile& ncu = *report.ncu;
    if (ncu.kernels.empty()) {
        sink.write("No kernel is in " + printable(ncu.fileName) + ".\n");
        return;
    }
    std::vector<TextColumn> columns{{"id", true},       {"kernel", false, true}, {"grid"},
                                    {"block"},          {"duration", true},      {"SM %", true},
                                    {"DRAM %", true},   {"occ. %", true},        {"theor. %", true},
                                    {"sect/req", true}, {"top stall"},           {"diagnosis"}};
    if (report.timeline)
        columns.push_back({"in the trace"});
    TextTable table(columns);
    for (const KernelRow& row : report.rows) {
        if (!row.launch)
            continue;
        const NcuKernel& kernel = ncu.kernels[*row.launch];
        const KernelDiagnosis& of = report.diagnoses[*row.launch];
        const KernelNumbers& n = of.numbers;
        std::vector<std::string> fields{std::to_string(kernel.id),
                                        kernelLabel(ncu.nameOf(kernel)),
                                        dimText(kernel.config.grid),
                                        dimText(kernel.config.block),
                                        n.durationNs ? formatDuration({*n.durationNs}) : std::string("-"),
                                        decimals(n.smPct, 2),
                                        decimals(n.dramPct, 2),
                                        decimals(n.occupancyPct, 2),
                                        decimals(n.theoreticalOccupancyPct, 2),
                                        decimals(n.loadSectorsPerRequest, 1),
                                        topStallText(of),
                                        boundText(of)};
        if (report.timeline)
            fields.push_back(joinText(row));
        table.add(std::move(fields));
    }
    sink.write("Profiled launches of " + printable(ncu.fileName) +
               " (Nsight Compute's own runs: durations do not compare with a timeline)\n");
    table.write(sink, width, 2);
    sink.write("\n");
    for (const KernelRow& row : report.rows) {
        if (!row.launch)
            continue;
        const KernelDiagnosis& of = report.diagnoses[*row.launch];
        const NcuKernel& kernel = ncu.kernels[*row.launch];
        const std::string head =
            "  " + std::to_string(kernel.id) + " " + printable(kernelLabel(ncu.nameOf(kernel))) + ": ";
        writeParagraph(sink, head.size() > width / 2 ? "  " + std::to_string(kernel.id) + ": " : head,
                       printable(of.verdict + (of.action.empty() ? "" : " " + of.action) +
                                 (report.timeline ? joinSentence(row) : std::string())),
                       width);
    }
}

void writeCommands(const KernelsReport& report, TextSink& sink) {
    std::size_t written = 0;
    for (const KernelRow& row : report.rows) {
        if (row.launch || written == kShownCommands)
            continue;
        if (written++ == 0)
            sink.write("\nNo counters in these files; to collect them for the longest kernels:\n");
        sink.write("  " + printable(rowCommand(report, row)) + "\n");
    }
}

} // namespace

void writeKernelsTable(const KernelsReport& report, TextSink& sink, std::size_t width) {
    if (report.timeline)
        writeTimeline(report, sink, width);
    if (report.timeline && report.ncu != nullptr)
        sink.write("\n");
    if (report.ncu != nullptr)
        writeLaunches(report, sink, width);
    if (report.timeline)
        writeCommands(report, sink);
    for (const std::string& remark : remarksOf(report))
        writeParagraph(sink, "Note: ", printable(remark), width);
}

void writeKernelsCsv(const KernelsReport& report, TextSink& sink) {
    const std::array<std::string, 33> header{"device",
                                             "name",
                                             "family",
                                             "origin",
                                             "grid",
                                             "block",
                                             "registers",
                                             "static_shared_bytes",
                                             "dynamic_shared_bytes",
                                             "shared_bytes",
                                             "count",
                                             "total_ns",
                                             "share",
                                             "median_ns",
                                             "p95_ns",
                                             "min_ns",
                                             "max_ns",
                                             "first_launch_ns",
                                             "ncu_id",
                                             "ncu_duration_ns",
                                             "sm_pct",
                                             "dram_pct",
                                             "memory_pct",
                                             "occupancy_pct",
                                             "theoretical_occupancy_pct",
                                             "occupancy_limiter",
                                             "sectors_per_request",
                                             "top_stall",
                                             "diagnosis",
                                             "action",
                                             "join",
                                             "join_by",
                                             "command"};
    writeCsvRow(sink, header);
    for (const KernelRow& row : report.rows) {
        const KernelGroup* const group = row.group ? &report.timeline->groups[*row.group] : nullptr;
        const KernelDiagnosis* const of = row.launch ? &report.diagnoses[*row.launch] : nullptr;
        const KernelNumbers numbers = of != nullptr ? of->numbers : KernelNumbers{};
        const LaunchConfig& config = rowConfig(report, row);
        const KernelClass kind = classifyKernel(rowName(report, row));
        const auto ns = [group](std::int64_t KernelGroup::*member) {
            return group != nullptr ? std::to_string(group->*member) : std::string();
        };
        const Stall* const top = of != nullptr ? of->stalls.top() : nullptr;
        const bool isJoin = row.launch && report.timeline;
        const std::array<std::string, 33> fields{
            group != nullptr ? std::to_string(report.timeline->trace->devices()[group->device.v].ordinal)
                             : std::string(),
            std::string(rowName(report, row)),
            std::string(familyName(kind.family)),
            std::string(originName(kind.origin)),
            config.grid.isKnown() ? dimText(config.grid) : std::string(),
            config.block.isKnown() ? dimText(config.block) : std::string(),
            plainCount(config.registersPerThread),
            plainCount(config.staticSharedBytes),
            plainCount(config.dynamicSharedBytes),
            plainCount(config.allSharedBytes()),
            group != nullptr ? std::to_string(group->count) : std::string(),
            ns(&KernelGroup::totalNs),
            group != nullptr ? plainText(group->share) : std::string(),
            ns(&KernelGroup::medianNs),
            ns(&KernelGroup::p95Ns),
            ns(&KernelGroup::minNs),
            ns(&KernelGroup::maxNs),
            ns(&KernelGroup::firstNs),
            row.launch ? std::to_string(report.ncu->kernels[*row.launch].id) : std::string(),
            plainCount(numbers.durationNs),
            plainText(numbers.smPct),
            plainText(numbers.dramPct),
            plainText(numbers.memoryPct),
            plainText(numbers.occupancyPct),
            plainText(numbers.theoreticalOccupancyPct),
            numbers.limits.limiter(),
            plainText(numbers.loadSectorsPerRequest),
            top != nullptr ? std::string(top->id) : std::string(),
            of != nullptr && of->bound ? std::string(boundName(*of->bound)) : std::string(),
            of != nullptr ? of->action : std::string(),
            isJoin ? std::string(joinCertaintyName(row.join.certainty)) : std::string(),
            isJoin ? std::string(row.join.by) : std::string(),
            rowCommand(report, row)};
        writeCsvRow(sink, fields);
    }
}

} // namespace lacuna
