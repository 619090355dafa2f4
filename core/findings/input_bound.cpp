// Data time against iteration time, and the gap under the loader with the copy that follows it.

#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/findings/time_shares.h"

#include <algorithm>

namespace lacuna::findings {

namespace {

struct DataRatio {
    std::int64_t dataNs = 0, iterationNs = 0;
    std::size_t steps = 0; // with a known data time
    double ratio() const {
        return iterationNs == 0 ? 0 : static_cast<double>(dataNs) / static_cast<double>(iterationNs);
    }
};

DataRatio dataRatio(const FindingContext& context) {
    DataRatio sum;
    for (const StepTime& step : context.steps.measured())
        if (step.dataNs) {
            sum.dataNs = saturatingAdd(sum.dataNs, *step.dataNs);
            sum.iterationNs = saturatingAdd(sum.iterationNs, step.iterationNs);
            ++sum.steps;
        }
    return sum;
}

// The first copy to the device that begins at or after the gap.
EventId copyBehind(const FindingContext& context, const Gap& gap) {
    EventId first;
    for (const CopyArgs& copy : context.trace.hotArgs().copies.rows()) {
        const std::int64_t begin = context.events().beginNs[copy.event.v];
        if (copy.kind == CopyKind::HtoD && begin >= gap.range.end.v &&
            (!first || begin < context.events().beginNs[first.v]))
            first = copy.event;
    }
    return first;
}

} // namespace

Finding inputBound(const FindingContext& context, JobControl& job) {
    Finding finding;
    finding.state = FindingState::Unknown;
    if (!context.phases.has(PhaseKind::Data)) {
        finding.suggests =
            "No row names data loading. Annotate it, or use a DataLoader, which PyTorch marks itself.";
        return finding;
    }
    const DataRatio sum = dataRatio(context);
    if (sum.steps == 0) {
        finding.suggests = "Data loading is marked, but no step of which both times are known.";
        return finding;
    }
    const bool isFound = sum.ratio() > context.threshold(Threshold::InputRatio);
    finding.state = isFound ? FindingState::Found : FindingState::Clear;
    finding.costNs = sum.dataNs;
    finding.supports.push_back(withWindow(
        context, plainEvidence("Data " + durationText(sum.dataNs) + " against iterations of " +
                               durationText(sum.iterationNs) + ": ratio " + formatPercent(sum.ratio()) +
                               " over " + countOf(sum.steps, context.steps.meaning) + ", threshold " +
                               context.settings.thresholds.text(Threshold::InputRatio) + ".")));
    if (!isFound) {
        finding.suggests = "Data loading takes a small part of the iteration.";
        return finding;
    }
    finding.suggests = "The loop waits for its input: loading takes long against the iteration.";
    const TimeShares shares = timeShares(context, job);
    if (shares.longestInput) {
        const Gap& gap = context.gapAnalysis->gap(shares.longestInput);
        finding.supports.push_back(
            gapEvidence(context, shares.longestInput,
                        "The GPU idled " + durationText(gap.length().v) + " while data was loaded."));
        if (const EventId copy = copyBehind(context, gap))
            finding.supports.push_back(rowEvidence(
                context, copy,
                "A copy to the device follows " +
                    durationText(context.events().beginNs[copy.v] - gap.range.end.v) + " after it."));
    }
    const std::int64_t hidden = sum.dataNs - shares.of(TimeShare::Input);
    if (hidden > 0)
        finding.against.push_back(withWindow(
            context,
            plainEvidence("The GPU had work for " + shareOf(hidden, sum.dataNs) +
                          " of the loading time: so much is hidden, or is a wait for the GPU itself.")));
    finding.tests.emplace_back("Raise num_workers of the DataLoader.");
    finding.tests.emplace_back("Raise prefetch_factor, or load one batch ahead.");
    finding.tests.emplace_back("Set pin_memory=True and copy with non_blocking=True.");
    return finding;
}

} // namespace lacuna::findings
