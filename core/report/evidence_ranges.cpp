// Ranges, and operations launched in them, behind rows of reports.

#include "core/analysis/host_tree.h"
#include "core/analysis/steps.h"
#include "core/report/enclosing_ranges.h"
#include "core/report/launched_kernels.h"
#include "core/report/range_projection.h"
#include "core/report/range_tree.h"
#include "core/report/row_evidence.h"

#include <algorithm>

namespace lacuna::evidence {

namespace {

// Ranges of that name and style.
Found rangesOf(const Asked& asked, std::string_view style) {
    RangeNames numbers(asked.input.trace);
    std::vector<std::pair<EventId, std::uint32_t>> rows;
    if (!forEachRow(asked.input, kindBit(EventKind::Range), asked.job,
                    [&](EventId e, const Lane& lane) { rows.emplace_back(e, numbers.of(e, lane)); }))
        return cancelledError();
    const std::vector<RangeName> names = numbers.take();
    const std::string_view name = asked.text("Range");
    std::vector<bool> isAsked;
    isAsked.reserve(names.size());
    for (const RangeName& one : names)
        isAsked.push_back(one.text == name && rangeStyleName(one.style) == style);
    std::vector<EventId> found;
    for (const auto& [event, number] : rows)
        if (isAsked[number])
            found.push_back(event);
    return found;
}

// Launching calls and ranges that `isRange` picks, kernels of that name and thread among what they enclose.
template <class IsRange>
Found kernelsIn(const Asked& asked, const RangeTree& tree, const LaunchedOps& launched,
                std::string_view kernel, const IsRange& isRange) {
    const Trace& trace = asked.input.trace;
    const auto isUsed = rangesOfOneThread(asked.input, tree, asked.job);
    if (!isUsed)
        return isUsed.error();
    const auto pid = asked.number("PID"), tid = asked.number("TID");
    EnclosingRanges enclosing(tree, *isUsed);
    std::vector<EventId> found;
    RowPoll poll(asked.job);
    for (const LaunchedOp& op : launched.ops) {
        if (!poll.tick())
            return cancelledError();
        const TimeRange call = trace.events().range(op.call);
        const auto around = enclosing.of(op.thread, call.begin.v, call.end.v);
        const HostIds ids = hostIdsOf(trace, op.thread);
        if (trace.nameOf(op.op) == kernel && ids.pid == pid && ids.tid == tid && isRange(around))
            found.push_back(op.op);
    }
    return found;
}

} // namespace

Found rangeSums(const Asked& asked) {
    return rangesOf(asked, asked.text("Style"));
}

Found pushPopSums(const Asked& asked) {
    return rangesOf(asked, rangeStyleName(RangeStyle::PushPop));
}

Found startEndSums(const Asked& asked) {
    return rangesOf(asked, rangeStyleName(RangeStyle::StartEnd));
}

Found kernelsByRange(const Asked& asked) {
    ReportInput everyRange = asked.input; // the range of the options selects kernels
    everyRange.options.range.reset();
    const auto tree = RangeTree::build(everyRange, asked.job);
    const auto launched = launchedOps(asked.input, kindBit(EventKind::Kernel), asked.job);
    if (!tree || !launched)
        return cancelledError();
    const std::string_view range = asked.text("NVTX Range"), style = asked.text("Style");
    return kernelsIn(asked, *tree, *launched, asked.text("Kernel Name"),
                     [&](std::span<const std::uint32_t> around) {
                         if (style.empty()) // outside all ranges
                             return around.empty();
                         return std::any_of(around.begin(), around.end(), [&](std::uint32_t i) {
                             const RangeName& name = tree->names()[tree->ranges()[i].name];
                             return name.text == range && rangeStyleName(name.style) == style;
                         });
                     });
}

Found projections(const Asked& asked) {
    const auto projection = projectRanges(asked.input, asked.job);
    if (!projection)
        return projection.error();
    const RangeTree& tree = projection->tree;
    const std::string_view range = asked.text("Range"), style = asked.text("Style");
    std::vector<EventId> found;
    for (const ProjectedRange& projected : projection->ranges) {
        const AnnotatedRange& one = tree.ranges()[projected.range];
        if (tree.nameOf(one) == range && rangeStyleName(one.style) == style)
            found.push_back(one.event);
    }
    return found;
}

// Of all steps of that name, as the row does not say which; of what no phase covers: the steps themselves.
Found phases(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const auto tree = HostTree::build(trace, {false, false}, asked.job);
    if (!tree)
        return tree.error();
    const std::string_view name = asked.text("Step"), phase = asked.text("Phase");
    std::vector<EventId> found;
    RowPoll poll(asked.job);
    for (const EventId event : findSteps(trace, asked.job).events) {
        const HostRow step = tree->find(event);
        if (!step || trace.nameOf(event) != name)
            continue;
        if (phase == "(unattributed)") {
            found.push_back(event);
            continue;
        }
        const TimeNs end = tree->range(step).end;
        const std::uint32_t last = tree->part(tree->threadOf(event)).lastRow;
        for (HostRow row{step.v + 1}; row.v < last && tree->range(row).begin < end; ++row.v) {
            if (!poll.tick())
                return cancelledError();
            if (tree->kind(row) != EventKind::Range || trace.nameOf(tree->event(row)) != phase)
                continue;
            HostRow above = tree->parent(row);
            while (above && above != step && tree->kind(above) != EventKind::Range)
                above = tree->parent(above);
            if (above == step)
                found.push_back(tree->event(row));
        }
    }
    return found;
}

} // namespace lacuna::evidence
