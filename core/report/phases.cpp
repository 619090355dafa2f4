// phases: the ranges directly inside each step, on its thread. With "(unattributed)" they sum to the step.

#include "core/analysis/host_tree.h"
#include "core/analysis/steps.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"

#include <algorithm>
#include <vector>

namespace lacuna::reports {

namespace {

struct Phase {
    StringId name;
    std::int64_t count = 0, ns = 0;
};

// In the order of their first rows. A row that ends after the step counts with its part inside.
std::vector<Phase> phasesOf(const Trace& trace, const HostTree& tree, HostRow step, RowPoll& poll) {
    std::vector<Phase> phases;
    const TimeRange window = tree.range(step);
    const ThreadId thread = tree.threadOf(tree.event(step));
    std::int64_t covered = window.begin.v; // ranges that overlap partially count once
    for (HostRow row{step.v + 1}; row.v < tree.part(thread).lastRow && poll.tick(); ++row.v) {
        const TimeRange range = tree.range(row);
        if (range.begin >= window.end)
            break;
        if (tree.kind(row) != EventKind::Range)
            continue;
        HostRow above = tree.parent(row);
        while (above && above != step && tree.kind(above) != EventKind::Range)
            above = tree.parent(above);
        if (above != step)
            continue;
        const std::int64_t begin = std::max(range.begin.v, covered);
        const std::int64_t end = std::max(begin, std::min(range.end, window.end).v);
        covered = end;
        const StringId name = trace.events().name[tree.event(row).v];
        auto at = std::find_if(phases.begin(), phases.end(),
                               [name](const Phase& phase) { return phase.name == name; });
        if (at == phases.end())
            at = phases.insert(phases.end(), {name, 0, 0});
        ++at->count;
        at->ns += end - begin;
    }
    return phases;
}

} // namespace

Result<ReportTable> phases(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const Steps steps = findSteps(trace, job);
    const auto tree = HostTree::build(trace, {false, false}, job);
    if (!tree)
        return tree.error();
    ReportTable table({textColumn("Step"), textColumn("Phase"), integerColumn("Count"), nsColumn("Time (ns)"),
                       decimalColumn("Share of step (%)", 1)});
    RowPoll poll(job);
    for (const EventId event : steps.events) {
        const TimeRange range = trace.events().range(event);
        const HostRow step = tree->find(event);
        if (!step || (input.options.range && !overlaps(*input.options.range, range.begin.v, range.end.v)))
            continue;
        std::int64_t left = range.length().v;
        const auto add = [&](std::string_view name, std::int64_t count, std::int64_t ns) {
            const std::int64_t whole = range.length().v;
            ReportTable::Row row = table.addRow();
            row.text(trace.nameOf(event)).text(name).integer(count).ns(ns);
            row.decimal(whole == 0 ? 0.0 : 100.0 * static_cast<double>(ns) / static_cast<double>(whole));
        };
        for (const Phase& phase : phasesOf(trace, *tree, step, poll)) {
            add(trace.strings().view(phase.name), phase.count, phase.ns);
            left -= phase.ns;
        }
        add("(unattributed)", 0, left);
    }
    if (job.cancelled())
        return cancelledError();
    if (steps.events.empty())
        table.addNote("The trace has no steps: no ProfilerStep marks and no ranges that count.");
    return table;
}

} // namespace lacuna::reports
