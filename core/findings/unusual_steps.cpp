// Steps that differ from their neighbours, and distributions with more than one mode. Causes are candidates.

#include "core/analysis/duration_pattern.h"
#include "core/base/lower_median.h"
#include "core/base/text_format.h"
#include "core/findings/builtin.h"

#include <algorithm>

namespace lacuna::findings {

namespace {

std::int64_t medianOver(std::span<const StepTime> steps, std::int64_t (*value)(const StepTime&)) {
    std::vector<std::int64_t> values;
    values.reserve(steps.size());
    for (const StepTime& step : steps)
        values.push_back(value(step));
    return lowerMedian(values);
}

std::string differenceText(std::int64_t ns) {
    return (ns < 0 ? "\u2212" : "+") + durationText(ns < 0 ? -ns : ns);
}

// What lies inside the step that others rarely have.
std::string candidatesIn(const FindingContext& context, TimeRange range) {
    std::size_t overhead = 0, initialisation = 0;
    for (std::uint32_t t = 0; t < context.trace.threads().size(); ++t) {
        const HostTree::ThreadPart& part = context.tree.part({t});
        for (HostRow row{part.firstRow}; row.v < part.lastRow; ++row.v) {
            if (context.tree.range(row).begin >= range.end)
                break;
            if (!range.contains(context.tree.range(row).begin))
                continue;
            const PieceClass cls = context.rows.cls(row);
            overhead += cls == PieceClass::Overhead ? 1U : 0U;
            initialisation += cls == PieceClass::Module || cls == PieceClass::Allocation ? 1U : 0U;
        }
    }
    return "Candidates: the application (another input, logging, a checkpoint); initialisation (" +
           countOf(initialisation, "row") + " of loading or allocation inside); a profiler event (" +
           countOf(overhead, "row") + " of overhead inside).";
}

} // namespace

Finding unusualSteps(const FindingContext& context, JobControl&) {
    Finding finding;
    const auto steps = context.steps.measured();
    if (steps.size() < 3) {
        finding.state = FindingState::Unknown;
        finding.suggests = "Fewer than three measured steps: none can stand out.";
        return finding;
    }
    const auto length = [](const StepTime& step) { return step.range.length().v; };
    const std::int64_t median = medianOver(steps, length);
    const std::int64_t busy = medianOver(steps, [](const StepTime& step) { return step.busyNs; });
    std::size_t count = 0;
    for (const StepTime& step : steps) {
        if (!step.isUnusual)
            continue;
        finding.costNs = saturatingAdd(finding.costNs, length(step) - median);
        if (++count > 3)
            continue;
        const auto number = static_cast<std::size_t>(&step - context.steps.steps.data());
        Evidence evidence = plainEvidence(
            stepTitle(context.trace, context.steps, number) + " took " + durationText(length(step)) +
            ", the median is " + durationText(median) + "; GPU busy " + differenceText(step.busyNs - busy) +
            ", idle " + differenceText(step.idleNs() - (median - busy)) + " against it.");
        evidence.event = step.event;
        evidence.range = step.range;
        evidence.ns = length(step);
        finding.supports.push_back(std::move(evidence));
        finding.supports.push_back(plainEvidence(candidatesIn(context, step.range)));
    }
    std::vector<std::int64_t> lengths;
    lengths.reserve(steps.size());
    for (const StepTime& step : steps)
        lengths.push_back(length(step));
    const std::vector<DurationMode> modes =
        durationModes(std::move(lengths), context.threshold(Threshold::ModeShare));
    if (modes.size() > 1) {
        std::string text = countOf(modes.size(), "mode") + " of the step time:";
        for (const DurationMode& mode : modes)
            text +=
                " " + durationText(mode.medianNs) + " (" + countOf(mode.count, context.steps.meaning) + ")";
        finding.supports.push_back(withWindow(context, plainEvidence(text + ". A mean hides this.")));
    }
    if (count == 0 && modes.size() < 2) {
        finding.suggests = "No step stands out.";
        return finding;
    }
    finding.state = FindingState::Found;
    finding.suggests =
        count == 0 ? "Steps come in kinds that take different times."
                   : countOf(count, "unusual " + context.steps.meaning) + ": the trace shows that, not why.";
    finding.against.push_back(plainEvidence("One wider step in a short recording may be chance."));
    finding.tests.emplace_back(
        "Record another window: an event of the application comes back at the same step number.");
    return finding;
}

} // namespace lacuna::findings
