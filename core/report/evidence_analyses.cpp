// Rows behind reports that print what a whole analysis found.

#include "core/analysis/critical_path.h"
#include "core/analysis/host_tree.h"
#include "core/analysis/what_if.h"
#include "core/report/report_settings.h"
#include "core/report/row_evidence.h"
#include "core/report/selected_devices.h"
#include "core/report/step_values.h"

#include <algorithm>
#include <charconv>
#include <memory>

namespace lacuna::evidence {

namespace {

// Not owned: what holds it ends with the question.
std::shared_ptr<const Trace> borrowed(const Trace& trace) {
    return {std::shared_ptr<const Trace>(), &trace};
}

bool hasPart(const GapAnalysis& gaps, const Gap& gap, std::string_view cause) {
    const auto parts = gaps.parts(gap);
    return std::any_of(parts.begin(), parts.end(),
                       [&](const GapPart& part) { return causeName(part.cause) == cause; });
}

Result<StepTimes> measuredSteps(const Asked& asked) {
    auto times =
        stepTimes(asked.input.trace, selectedDevices(asked.input), settingsOf(asked.input), asked.job);
    if (times && asked.input.options.range)
        keepStepsOf(*times, *asked.input.options.range);
    return times;
}

// Of one quantity of stepQuantities(); none where the step has none.
std::optional<std::int64_t> quantityOf(const StepTimes& times, std::size_t k, std::string_view title) {
    const StepTime& step = times.measured()[k];
    if (title == "Duration")
        return step.range.length().v;
    if (title == "Period")
        return k + 1 < times.measured().size()
                   ? std::optional((times.measured()[k + 1].range.begin - step.range.begin).v)
                   : std::nullopt;
    if (title == "Iteration")
        return step.iterationNs;
    if (title == "GPU Busy")
        return step.busyNs;
    if (title == "GPU Idle")
        return step.idleNs();
    if (title == "Data Loading")
        return step.dataNs;
    const PhaseKind phase = title == "Forward"    ? PhaseKind::Forward
                            : title == "Backward" ? PhaseKind::Backward
                                                  : PhaseKind::Optimizer;
    return step.phaseNs[static_cast<std::size_t>(phase)];
}

// Steps whose quantity is in [from, to]; those of a pattern have no row of their own.
Found stepsWith(const Asked& asked, std::int64_t from, std::int64_t to, bool withEnd) {
    const auto times = measuredSteps(asked);
    if (!times)
        return times.error();
    const std::string_view title = asked.text("Quantity");
    std::vector<EventId> found;
    for (std::size_t k = 0; k < times->measured().size(); ++k)
        if (const auto value = quantityOf(*times, k, title); value && times->measured()[k].event)
            if (*value >= from && (*value < to || (withEnd && *value == to)))
                found.push_back(times->measured()[k].event);
    return found;
}

void addIfInRange(const Asked& asked, EventId event, std::vector<EventId>& found) {
    const TimeNs begin{asked.input.trace.events().beginNs[event.v]};
    if (!asked.input.options.range || asked.input.options.range->contains(begin))
        found.push_back(event);
}

} // namespace

// The operations that end the gaps.
Found idle(const Asked& asked) {
    const auto gaps = GapAnalysis::run(borrowed(asked.input.trace), {}, asked.job);
    if (!gaps)
        return gaps.error();
    const std::string_view cause = asked.text("Cause");
    std::vector<EventId> found;
    RowPoll poll(asked.job);
    for (const Gap& gap : (*gaps)->gaps()) {
        if (!poll.tick())
            return cancelledError();
        if (ordinalOf(asked.input.trace, gap.device) == asked.number("Device") &&
            (!asked.input.options.range || !intersection(gap.range, *asked.input.options.range).isEmpty()) &&
            (causeName(gap.cause) == cause || hasPart(**gaps, gap, cause)))
            found.push_back(gap.next);
    }
    return found;
}

Found criticalPath(const Asked& asked) {
    const auto model = ReplayModel::build(borrowed(asked.input.trace), asked.job);
    if (!model)
        return model.error();
    const auto path = lacuna::criticalPath(**model, asked.job, asked.input.options.range);
    if (!path)
        return path.error();
    const std::string_view kind = asked.text("Kind");
    std::vector<EventId> found;
    for (const PathPiece& piece : path->pieces)
        if (piece.event && pathKindName(piece.kind) == kind)
            found.push_back(piece.event);
    return found;
}

Found whatIf(const Asked& asked) {
    const auto gaps = GapAnalysis::run(borrowed(asked.input.trace), {}, asked.job);
    if (!gaps)
        return gaps.error();
    const auto model = ReplayModel::build(borrowed(asked.input.trace), asked.job);
    if (!model)
        return model.error();
    const auto built = WhatIf::build(*gaps, *model, {}, asked.job);
    if (!built)
        return built.error();
    const bool isRange = asked.text("Call Site").empty();
    const std::string_view where = asked.text(isRange ? "Range" : "Call Site"), change = asked.text("Change");
    std::vector<EventId> found;
    for (const WhatIfQuestion& question : (*built)->questions()) {
        if (question.isRange != isRange || whatIfName(question.kind) != change || question.where != where)
            continue;
        for (const EventId row : (*built)->rowsOf(question))
            addIfInRange(asked, row, found);
    }
    return found;
}

Found threads(const Asked& asked) {
    const Trace& trace = asked.input.trace;
    const auto tree = HostTree::build(trace, {}, asked.job);
    if (!tree)
        return tree.error();
    const std::string_view process = asked.text("Process"), title = asked.text("Thread");
    std::vector<EventId> found;
    RowPoll poll(asked.job);
    for (std::uint32_t t = 0; t < trace.threads().size(); ++t) {
        const Thread& thread = trace.threads()[t];
        const std::string id = thread.process ? trace.processes()[thread.process.v].idText : std::string();
        if (id != process || trace.threadTitle({t}) != title)
            continue;
        const HostTree::ThreadPart& part = tree->part({t});
        for (HostRow row{part.firstRow}; row.v < part.lastRow; ++row.v) {
            if (!poll.tick())
                return cancelledError();
            const TimeRange range = tree->range(row);
            if (!asked.input.options.range ||
                overlaps(*asked.input.options.range, range.begin.v, range.end.v))
                found.push_back(tree->event(row));
        }
    }
    return found;
}

Found stepStatistics(const Asked& asked) {
    return stepsWith(asked, INT64_MIN, INT64_MAX, true);
}

// Bins are [from, to), the last of a quantity with its end.
Found stepHistogram(const Asked& asked) {
    const std::int64_t from = asked.number("From").value_or(0), to = asked.number("To").value_or(0);
    const std::size_t quantity = *asked.table.findColumn("Quantity"), end = *asked.table.findColumn("To");
    std::int64_t last = to;
    for (std::size_t row = 0; row < asked.table.rows(); ++row)
        if (asked.table.text(row, quantity) == asked.text("Quantity"))
            last = std::max(last, asked.table.number(row, end));
    return stepsWith(asked, from, to, to == last);
}

Found schedule(const Asked& asked) {
    const std::int64_t first = asked.number("First Step").value_or(0);
    const std::int64_t last = asked.number("Last Step").value_or(-1);
    constexpr std::string_view kMark = "ProfilerStep#";
    return rowsThat(asked, kindBit(EventKind::Range), [&](EventId e, const Lane&) {
        const std::string_view name = asked.input.trace.nameOf(e);
        std::int64_t number = -1;
        if (name.starts_with(kMark))
            std::from_chars(name.data() + kMark.size(), name.data() + name.size(), number);
        return number >= first && number <= last;
    });
}

} // namespace lacuna::evidence
