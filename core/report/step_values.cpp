#include "core/report/step_values.h"

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

void addOptional(std::vector<StepQuantity>& all, const char* title, const StepTimes& times, PhaseKind phase) {
    StepQuantity quantity{title, {}};
    for (const StepTime& step : times.measured())
        if (const auto ns =
                phase == PhaseKind::Data ? step.dataNs : step.phaseNs[static_cast<std::size_t>(phase)])
            quantity.values.push_back(*ns);
    if (!quantity.values.empty())
        all.push_back(std::move(quantity));
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

void addOutside(const StepTimes& times, const AnalysisSettings& settings, std::vector<std::string>& notes) {
    if (!settings.outsideNs)
        return;
    const double mean = sampleStatistics(durationsOf(times.measured())).mean;
    notes.push_back("Outside measurement: " + nsText(*settings.outsideNs) + "; the capture adds " +
                    (mean < *settings.outsideNs ? "\u2212" : "+") +
                    fixedText(std::fabs(mean / *settings.outsideNs - 1) * 100, 1) +
                    " %. Mean only: its spread is not known.");
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

std::vector<StepQuantity> stepQuantities(const StepTimes& times) {
    std::vector<StepQuantity> all;
    const auto steps = times.measured();
    if (steps.empty())
        return all;
    all.push_back({"Duration", durationsOf(steps)});
    StepQuantity period{"Period", {}}, iteration{"Iteration", {}}, busy{"GPU Busy", {}}, idle{"GPU Idle", {}};
    for (std::size_t k = 0; k < steps.size(); ++k) {
        if (k + 1 < steps.size())
            period.values.push_back((steps[k + 1].range.begin - steps[k].range.begin).v);
        iteration.values.push_back(steps[k].iterationNs);
        busy.values.push_back(steps[k].busyNs);
        idle.values.push_back(steps[k].idleNs());
    }
    if (!period.values.empty())
        all.push_back(std::move(period));
    all.push_back(std::move(iteration));
    addOptional(all, "Data Loading", times, PhaseKind::Data);
    addOptional(all, "Forward", times, PhaseKind::Forward);
    addOptional(all, "Backward", times, PhaseKind::Backward);
    addOptional(all, "Optimizer", times, PhaseKind::Optimizer);
    all.push_back(std::move(busy));
    all.push_back(std::move(idle));
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
    addThroughput(times, settings, notes);
    addOutside(times, settings, notes);
    return notes;
}

} // namespace lacuna
