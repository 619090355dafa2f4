// Whether the recording begins cold: slow leading steps mean that nothing ran before it.

#include "core/base/lower_median.h"
#include "core/findings/builtin.h"

namespace lacuna::findings {

Finding noWarmUp(const FindingContext& context, JobControl&) {
    Finding finding;
    const StepTimes& steps = context.steps;
    if (steps.steps.size() < 3) {
        finding.state = FindingState::Unknown;
        finding.suggests = "Fewer than three steps: nothing tells whether the first ones are slower.";
        return finding;
    }
    if (steps.warmUps == 0) {
        finding.suggests = "The first steps take no longer than the others.";
        return finding;
    }
    finding.state = FindingState::Found;
    std::int64_t median = 0;
    {
        std::vector<std::int64_t> lengths;
        for (std::size_t k = steps.warmUps; k < steps.steps.size(); ++k)
            lengths.push_back(steps.steps[k].range.length().v);
        median = lowerMedian(lengths);
    }
    for (std::size_t k = 0; k < steps.warmUps; ++k) {
        const StepTime& step = steps.steps[k];
        finding.costNs = saturatingAdd(finding.costNs, step.range.length().v - median);
        if (k >= 3)
            continue;
        Evidence evidence =
            plainEvidence(stepTitle(context.trace, steps, k) + " took " +
                          durationText(step.range.length().v) + "; later ones " + durationText(median) + ".");
        evidence.range = step.range;
        evidence.event = step.event;
        evidence.ns = step.range.length().v;
        finding.supports.push_back(std::move(evidence));
    }
    finding.suggests =
        countOf(steps.warmUps, "leading " + steps.meaning) + (steps.warmUps == 1 ? " is" : " are") +
        " slower than the others: the recording began before the "
        "program was warm. " +
        (steps.warmUpsIncluded ? "The figures include them, as set." : "The figures leave them out.");
    finding.against.push_back(
        plainEvidence("The first recorded step also pays for the profiler's own start."));
    finding.tests.emplace_back("Run five or more steps before the recording, and record again.");
    return finding;
}

} // namespace lacuna::findings
