// compiled_code: events of torch.compile by class and name, and the device work below them (features.md C66).

#include "core/analysis/compiled_code.h"

#include "core/analysis/kernel_callers.h"
#include "core/report/work_reports.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace lacuna::reports {

namespace {

struct CompiledName {
    std::int64_t calls = 0, hostNs = 0, selfNs = 0, kernels = 0, deviceNs = 0;
    EventId first;
};
using CompiledNames = std::map<std::pair<CompiledCode, StringId>, CompiledName>;

bool addHostRows(const Trace& trace, const HostTree& tree, const std::optional<TimeRange>& range,
                 CompiledNames& names, JobControl& job) {
    const Column<std::int64_t> self = tree.selfTimes(job);
    RowPoll poll(job);
    for (std::uint32_t r = 0; r < tree.size(); ++r) {
        if (!poll.tick())
            return false;
        const HostRow row{r};
        const TimeRange time = tree.range(row);
        const CompiledCode code = compiledCodeOf(trace, tree, row);
        if (code == CompiledCode::None || (range && !(time.begin < range->end && range->begin < time.end)))
            continue;
        const EventId event = tree.event(row);
        CompiledName& name = names[{code, trace.events().name[event.v]}];
        ++name.calls;
        name.hostNs = saturatingAdd(name.hostNs, time.length().v);
        name.selfNs = saturatingAdd(name.selfNs, self[r]);
        if (!name.first || event < name.first)
            name.first = event;
    }
    return true;
}

// The innermost class above a call.
HostRow compiledAbove(const Trace& trace, const HostTree& tree, HostRow row) {
    for (std::uint32_t level = 0; row && level < HostTree::kLevelsLookedAt; ++level, row = tree.parent(row))
        if (compiledCodeOf(trace, tree, row) != CompiledCode::None)
            return row;
    return {};
}

bool addKernels(const Trace& trace, const HostTree& tree, const std::optional<TimeRange>& range,
                CompiledNames& names, JobControl& job) {
    const EventTable& events = trace.events();
    RowPoll poll(job);
    for (std::uint32_t e = 0; e < events.size(); ++e) {
        if (!poll.tick())
            return false;
        const EventId kernel{e};
        const TimeRange time = events.range(kernel);
        if (events.kind[e] != EventKind::Kernel ||
            (range && !(time.begin < range->end && range->begin < time.end)))
            continue;
        const auto call = trace.correlations().launchOf(events, kernel);
        const HostRow above = call ? compiledAbove(trace, tree, tree.find(*call)) : HostRow{};
        std::pair<CompiledCode, StringId> key{compiledCodeOf(trace.nameOf(kernel)), events.name[e]};
        if (above && key.first == CompiledCode::None)
            key = {compiledCodeOf(trace, tree, above), events.name[tree.event(above).v]};
        if (key.first == CompiledCode::None)
            continue;
        CompiledName& name = names[key];
        ++name.kernels;
        name.deviceNs = saturatingAdd(name.deviceNs, time.length().v);
        if (!name.first)
            name.first = kernel;
    }
    return true;
}

} // namespace

Result<ReportTable> compiledCode(const ReportInput& input, JobControl& job) {
    const auto tree = HostTree::build(input.trace, {false, false}, job);
    if (!tree)
        return tree.error();
    CompiledNames names;
    if (!addHostRows(input.trace, *tree, input.options.range, names, job) ||
        !addKernels(input.trace, *tree, input.options.range, names, job))
        return cancelledError();
    ReportTable table({textColumn("Class"), textColumn("Name"), integerColumn("Calls"), nsColumn("Host (ns)"),
                       nsColumn("Self Host (ns)"), integerColumn("Kernels"), nsColumn("Device (ns)")});
    std::vector<std::pair<std::pair<CompiledCode, StringId>, CompiledName>> rows(names.begin(), names.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        if (a.first.first != b.first.first)
            return a.first.first < b.first.first;
        return a.second.hostNs != b.second.hostNs ? a.second.hostNs > b.second.hostNs
                                                  : a.second.deviceNs > b.second.deviceNs;
    });
    for (const auto& [key, name] : rows)
        table.addRow()
            .about(name.first)
            .text(compiledCodeName(key.first))
            .text(input.trace.strings().view(key.second))
            .integer(name.calls)
            .ns(name.hostNs)
            .ns(name.selfNs)
            .integer(name.kernels)
            .ns(name.deviceNs);
    table.addNote(rows.empty() ? "Nothing here is known to be compiled code (torch.compile)."
                               : "Classes by names. Host times hold what is nested in them; self times do "
                                 "not. External: operators of libraries that Inductor's code calls.");
    return table;
}

} // namespace lacuna::reports
