// cupti_counters: values that CUPTI's range profiler collected per kernel, with the operators that launched
// them. In that mode the trace has no kernels, only "cuda_profiler_range" rows: as in Holistic Trace
// Analysis the k-th of them belongs to the k-th call of cudaLaunchKernel, where there are as many.

#include "core/analysis/host_tree.h"
#include "core/import/importer.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace lacuna::reports {

namespace {

using Counters = std::vector<std::pair<std::string, std::int64_t>>;

struct CounterRange {
    EventId event;
    Counters counters;
};

// Empty where the row is no range of that profiler.
Counters countersOf(const EventDetails& details) {
    constexpr std::string_view kArgs = "args.";
    Counters counters;
    bool isRange = false;
    for (const auto& [name, text] : details.fields) {
        isRange = isRange || (name == "cat" && text == "cuda_profiler_range");
        if (!name.starts_with(kArgs))
            continue;
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc())
            counters.emplace_back(name.substr(kArgs.size()), value);
    }
    return isRange ? counters : Counters{};
}

// The operators around a call, the outermost first.
std::vector<std::string_view> operatorsAround(const Trace& trace, const HostTree& tree, EventId call) {
    std::vector<std::string_view> names;
    for (HostRow row = tree.find(call); row; row = tree.parent(row))
        if (tree.kind(row) == EventKind::CpuOp)
            names.push_back(trace.nameOf(tree.event(row)));
    std::reverse(names.begin(), names.end());
    return names;
}

Result<std::vector<CounterRange>> counterRanges(const ReportInput& input, JobControl& job) {
    std::vector<CounterRange> ranges;
    const auto events = rowsByStart(input, kindBit(EventKind::GpuRange), job);
    if (!events)
        return cancelledError();
    for (const EventId e : *events) {
        if (job.cancelled())
            return cancelledError();
        const auto details = input.details->read({input.trace.events().source[e.v]});
        if (!details)
            return details.error();
        if (Counters counters = countersOf(*details); !counters.empty())
            ranges.push_back({e, std::move(counters)});
    }
    return ranges;
}

ReportTable counterTable(const std::vector<CounterRange>& ranges) {
    std::vector<ReportColumn> columns = {nsColumn("Start (ns)"), nsColumn("Duration (ns)"),
                                         textColumn("Top Level Op"), textColumn("Bottom Level Op"),
                                         textColumn("Op Stack")};
    if (!ranges.empty())
        for (const auto& [name, value] : ranges.front().counters)
            columns.push_back(integerColumn(name));
    columns.push_back(textColumn("Name"));
    return ReportTable(std::move(columns));
}

void addOperators(ReportTable::Row& row, const std::vector<std::string_view>& names) {
    if (names.empty()) {
        row.empty().empty().empty();
        return;
    }
    std::string stack;
    for (const std::string_view name : names)
        stack.append(stack.empty() ? "" : " > ").append(name);
    row.text(names.front()).text(names.back()).text(stack);
}

} // namespace

Result<ReportTable> cuptiCounters(const ReportInput& input, JobControl& job) {
    if (input.details == nullptr)
        return ReportTable({textColumn("Name")});
    const auto ranges = counterRanges(input, job);
    if (!ranges)
        return ranges.error();
    const auto tree = HostTree::build(input.trace, {false, false}, job);
    if (!tree)
        return tree.error();
    const auto calls = rowsByStart(input, kindBit(EventKind::RuntimeApi), job);
    if (!calls)
        return cancelledError();
    std::vector<EventId> launches;
    for (const EventId call : *calls)
        if (input.trace.nameOf(call).starts_with("cudaLaunchKernel"))
            launches.push_back(call);
    const bool arePairs = launches.size() == ranges->size();
    ReportTable table = counterTable(*ranges);
    for (std::size_t i = 0; i < ranges->size(); ++i) {
        const CounterRange& range = (*ranges)[i];
        const TimeRange times = input.trace.events().range(range.event);
        ReportTable::Row row = table.addRow();
        row.ns(times.begin.v).ns(times.length().v);
        addOperators(row, arePairs ? operatorsAround(input.trace, *tree, launches[i])
                                   : std::vector<std::string_view>{});
        for (const auto& [name, first] : ranges->front().counters) {
            const auto at =
                std::find_if(range.counters.begin(), range.counters.end(),
                             [&counter = name](const auto& entry) { return entry.first == counter; });
            row.integer(at == range.counters.end() ? std::nullopt : std::optional(at->second));
        }
        row.text(input.trace.nameOf(range.event));
    }
    if (table.rows() == 0)
        table.addNote("The trace has no counters of CUPTI's range profiler.");
    else if (!arePairs)
        table.addNote("Operators are not known: there are " + std::to_string(launches.size()) +
                      " launches for " + std::to_string(ranges->size()) + " ranges.");
    return table;
}

} // namespace lacuna::reports
