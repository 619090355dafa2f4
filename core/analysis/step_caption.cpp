#include "core/analysis/step_caption.h"

#include "core/base/lower_median.h"
#include "core/trace/all_devices.h"

#include <vector>

namespace lacuna {

StepCaption stepCaption(const StepTimes& times, std::span<const CandidateSteps> candidates) {
    StepCaption caption;
    const std::size_t all = times.steps.size();
    if (all == 0) {
        if (!candidates.empty())
            caption.text =
                std::to_string(candidates.front().ranges.size()) + " candidate steps (unconfirmed)";
        return caption;
    }
    caption.text =
        std::to_string(all) + " " + times.meaning + (all == 1 ? "" : "s") +
        (times.source == "pattern" ? ", repeats of a pattern as the user said" : " by " + times.source);
    if (times.warmUps != 0)
        caption.text += ", " + std::to_string(times.warmUps) + " warm-up " +
                        (times.warmUpsIncluded ? "included as set" : "excluded");
    std::vector<std::int64_t> lengths;
    for (const StepTime& step : times.measured())
        lengths.push_back(step.range.length().v);
    caption.medianNs = lowerMedian(lengths);
    return caption;
}

Result<StepCaption> stepCaption(const Trace& trace, const AnalysisSettings& settings, JobControl& job) {
    const auto times = stepTimes(trace, allDevices(trace), settings, job);
    if (!times)
        return times.error();
    if (!times->steps.empty())
        return stepCaption(*times, {});
    const auto candidates = findCandidateSteps(trace, settings.thresholds, job);
    if (!candidates)
        return candidates.error();
    return stepCaption(*times, *candidates);
}

} // namespace lacuna
