#include "core/report/step_values.h"

#include "core/analysis/outside_step.h"
#include "core/analysis/sample_statistics.h"
#include "core/analysis/throughput.h"
#include "core/base/text_format.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace lacuna {

namespace {

std::string nsText(double ns) {
    return formatDuration({static_cast<std::int64_t>(std::llround(ns))});
}

std::string fixedText(double value, int digits) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

std::string countSentence(const StepTimes& times) {
    const std::size_t all = times.steps.size();
    std::string text =
        std::to_string(all) + " " + times.meaning + (all == 1 ? "" : "s") + " by " + times.source + "; ";
    if (times.warmUps != 0)
        text +=
            std::to_string(times.warmUps) + " warm-up " + times.meaning + (times.warmUps == 1 ? "" : "s") +
            (times.warmUpsIncluded ? " included, as set; " : " excluded of " + std::to_string(all) + "; ");
    const SampleStatistics values = sampleStatistics(durationsOf(times.measured()));
    return text + "mean " + nsText(values.mean) + ", median " + nsText(values.median) +
           ", standard deviation " + nsText(values.deviation) + ", p95 " + nsText(values.p95) + ", min " +
           nsText(static_cast<double>(values.min)) + ", max " + nsText(static_cast<double>(values.max)) + ".";
}

void addThroughput(const StepTimes& times, const AnalysisSettings& settings,
                   std::vector<std::string>& notes) {
    if (!settings.samplesPerStep && !settings.flopsPerSample && !settings.flopsPerStep && !settings.peakFlops)
        return;
    std::vector<std::int64_t> iterations;
    for (const StepTime& step : times.measured())
        iterations.push_back(step.iterationNs);
    const Throughput speed = throughputOf(settings, sampleStatistics(std::move(iterations)).mean);
    std::string text;
    if (speed.samplesPerSecond)
        text += fixedText(*speed.samplesPerSecond, 2) + " samples/s by the mean iteration. ";
    text +=
        speed.utilisation ? "MFU " + fixedText(*speed.utilisation * 100, 1) + " %." : "MFU: " + speed.missing;
    notes.push_back(std::move(text));
}

void addCandidates(const Trace& trace, const AnalysisSettings& settings, JobControl& job,
                   std::vector<std::string>& notes) {
    const auto candidates = findCandidateSteps(trace, settings.thresholds, job);
    if (!candidates || candidates->empty()) {
        notes.emplace_back(
            "The trace has no steps: no ProfilerStep marks, no ranges that count, no repeated pattern.");
        return;
    }
    notes.emplace_back("The trace has no steps: no ProfilerStep marks and no ranges that count.");
    for (std::size_t c = 0; c < candidates->size(); ++c)
        notes.push_back(
            "Candidate steps (unconfirmed) " + std::to_string(c + 1) + ": " +
            candidateSentence(trace, (*candidates)[c]) +
            ". A repeat may be a step, a microbatch, a token or an inner loop; --set steps.pattern=step:" +
            std::to_string(c + 1) + " confirms what it is.");
}

} // namespace

std::vector<std::int64_t> durationsOf(std::span<const StepTime> steps) {
    std::vector<std::int64_t> durations;
    durations.reserve(steps.size());
    for (const StepTime& step : steps)
        durations.push_back(step.range.length().v);
    return durations;
}

std::string_view stepValueTitle(StepValue value) {
    switch (value) {
    case StepValue::Duration:
        return "Duration";
    case StepValue::Period:
        return "Period";
    case StepValue::Iteration:
        return "Iteration";
    case StepValue::Data:
        return "Data Loading";
    case StepValue::Forward:
        return "Forward";
    case StepValue::Backward:
        return "Backward";
    case StepValue::Optimizer:
        return "Optimizer";
    case StepValue::Busy:
        return "GPU Busy";
    case StepValue::Idle:
        break;
    }
    return "GPU Idle";
}

std::optional<std::int64_t> stepValue(const StepTimes& times, std::size_t step, StepValue value) {
    const StepTime& one = times.steps[step];
    const auto phase = [&one](PhaseKind kind) { return one.phaseNs[static_cast<std::size_t>(kind)]; };
    switch (value) {
    case StepValue::Duration:
        return one.range.length().v;
    case StepValue::Period:
        return step + 1 < times.steps.size()
                   ? std::optional((times.steps[step + 1].range.begin - one.range.begin).v)
                   : std::nullopt;
    case StepValue::Iteration:
        return one.iterationNs;
    case StepValue::Data:
        return one.dataNs;
    case StepValue::Forward:
        return phase(PhaseKind::Forward);
    case StepValue::Backward:
        return phase(PhaseKind::Backward);
    case StepValue::Optimizer:
        return phase(PhaseKind::Optimizer);
    case StepValue::Busy:
        return one.busyNs;
    case StepValue::Idle:
        break;
    }
    return one.idleNs();
}

std::vector<StepQuantity> stepQuantities(const StepTimes& times) {
    std::vector<StepQuantity> all;
    const std::size_t first = times.steps.size() - times.measured().size();
    for (const StepValue which :
         {StepValue::Duration, StepValue::Period, StepValue::Iteration, StepValue::Data, StepValue::Forward,
          StepValue::Backward, StepValue::Optimizer, StepValue::Busy, StepValue::Idle}) {
        StepQuantity quantity{std::string(stepValueTitle(which)), {}, which, {}};
        for (std::size_t k = first; k < times.steps.size(); ++k)
            if (const auto ns = stepValue(times, k, which)) {
                quantity.values.push_back(*ns);
                quantity.steps.push_back(k);
            }
        if (!quantity.values.empty())
            all.push_back(std::move(quantity));
    }
    return all;
}

std::vector<std::string> stepNotes(const Trace& trace, const StepTimes& times,
                                   const AnalysisSettings& settings, JobControl& job) {
    std::vector<std::string> notes;
    if (!times.remark.empty())
        notes.push_back(times.remark);
    if (times.steps.empty()) {
        addCandidates(trace, settings, job, notes);
        return notes;
    }
    notes.push_back(countSentence(times));
    if (times.source == "pattern")
        notes.push_back(
            "Nothing in the trace marks them: they are repeats of a pattern, and a user said that "
            "a repeat is a " +
            times.meaning + ".");
    addThroughput(times, settings, notes);
    for (std::string& sentence : outsideSentences(trace, times, settings))
        notes.push_back(std::move(sentence));
    return notes;
}

} // namespace lacuna
