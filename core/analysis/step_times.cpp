#include "core/analysis/step_times.h"

#include "core/analysis/busy_devices.h"
#include "core/analysis/step_phases.h"
#include "core/base/join_range.h"
#include "core/base/lower_median.h"
#include "core/trace/sort_rows.h"
#include "core/trace/union_of.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {

bool isSlow(std::int64_t duration, std::int64_t median, double factor) {
    return static_cast<double>(duration) >= factor * static_cast<double>(median);
}

// What the steps are measured against. Of millions of operations only their numbers and the members of their
// union are kept: 4 and 16 bytes.
struct StepSurroundings {
    std::vector<EventId> ops; // of the devices, by begin
    IntervalSet busy;
    PhaseTimes phases;
};

// Empty when the job was cancelled.
IntervalSet busyOfOps(const EventTable& events, const std::vector<EventId>& ops, RowPoll& poll) {
    std::vector<TimeRange> ranges;
    for (const EventId op : ops) {
        if (!poll.tick())
            return {};
        joinRange(ranges, events.range(op)); // they come by begin
    }
    return unionOf(std::move(ranges), poll).value_or(IntervalSet{});
}

StepSurroundings surroundingsOf(const Trace& trace, std::span<const DeviceId> devices, JobControl& job) {
    StepSurroundings result;
    const EventTable& events = trace.events();
    const BusyDevices all(trace);
    for (const DeviceId device : devices) {
        std::vector<EventId> ops = all.ops(device, job);
        if (result.ops.empty())
            result.ops = std::move(ops);
        else
            result.ops.insert(result.ops.end(), ops.begin(), ops.end());
    }
    RowPoll poll(job); // those of one device are in order
    if (!sortRows(result.ops, poll,
                  [&events](EventId a, EventId b) { return events.beginNs[a.v] < events.beginNs[b.v]; }))
        return result;
    result.busy = busyOfOps(events, result.ops, poll);
    result.phases = phaseTimes(trace, job);
    return result;
}

void measureData(StepTime& step, const StepTime* before, const PhaseTimes& phases) {
    const std::int64_t inside = phases.of(PhaseKind::Data).measureIn(step.range).v;
    step.iterationNs = step.range.length().v - inside;
    if (!phases.has(PhaseKind::Data))
        return;
    if (before != nullptr)
        step.dataNs = phases.of(PhaseKind::Data)
                          .measureIn({std::min(before->range.end, step.range.begin), step.range.begin})
                          .v +
                      inside;
    else if (inside != 0)
        step.dataNs = inside;
}

void measure(const EventTable& events, StepTime& step, const StepTime* before,
             const StepSurroundings& around) {
    const auto startsBefore = [&](TimeNs t) {
        return std::partition_point(around.ops.begin(), around.ops.end(),
                                    [&](EventId op) { return events.beginNs[op.v] < t.v; }) -
               around.ops.begin();
    };
    step.busyNs = around.busy.measureIn(step.range).v;
    step.deviceOps =
        static_cast<std::uint64_t>(startsBefore(step.range.end) - startsBefore(step.range.begin));
    measureData(step, before, around.phases);
    for (std::size_t p = 0; p < kPhaseKinds; ++p)
        if (around.phases.rows[p] != 0)
            step.phaseNs[p] = around.phases.ranges[p].measureIn(step.range).v;
}

} // namespace

std::size_t countWarmUps(std::span<const std::int64_t> durations, double warmUpFactor) {
    if (durations.size() < 3)
        return 0;
    std::vector<std::int64_t> reordered(durations.begin(), durations.end());
    const std::int64_t median = lowerMedian(reordered);
    std::size_t count = 0;
    while (count < durations.size() / 2 && isSlow(durations[count], median, warmUpFactor))
        ++count;
    return count;
}

std::optional<TimeRange> StepTimes::measuredWindow() const {
    const auto kept = measured();
    if (kept.empty())
        return std::nullopt;
    TimeRange window = kept.front().range;
    for (const StepTime& step : kept)
        window.end = std::max(window.end, step.range.end);
    return window;
}

Result<StepTimes> stepTimes(const Trace& trace, std::span<const DeviceId> devices,
                            const AnalysisSettings& settings, JobControl& job) {
    auto selected = selectSteps(trace, settings, job);
    if (!selected)
        return selected.error();
    StepTimes result;
    result.source = std::move(selected->source);
    result.meaning = std::move(selected->meaning);
    result.remark = std::move(selected->remark);
    result.warmUpsIncluded = settings.includeWarmUp;
    if (selected->steps.empty())
        return result;
    const StepSurroundings around = surroundingsOf(trace, devices, job);
    if (job.cancelled())
        return cancelledError();

    std::vector<std::int64_t> durations;
    durations.reserve(selected->steps.size());
    for (const StepSpan& step : selected->steps)
        durations.push_back(step.range.length().v);
    result.warmUps = countWarmUps(durations, settings.thresholds[Threshold::WarmUpFactor]);
    std::vector<std::int64_t> reordered = durations;
    const std::int64_t median = lowerMedian(reordered);
    const double unusual = settings.thresholds[Threshold::UnusualFactor];
    result.steps.reserve(durations.size());
    for (std::size_t k = 0; k < durations.size(); ++k) {
        StepTime step;
        step.event = selected->steps[k].event;
        step.range = selected->steps[k].range;
        measure(trace.events(), step, k == 0 ? nullptr : &result.steps[k - 1], around);
        step.isWarmUp = k < result.warmUps;
        step.isUnusual = !step.isWarmUp && durations.size() > 2 && isSlow(durations[k], median, unusual);
        result.steps.push_back(step);
    }
    return result;
}

void keepStepsOf(StepTimes& times, TimeRange range) {
    std::erase_if(times.steps, [range](const StepTime& step) {
        return !(step.range.begin < range.end && step.range.end > range.begin);
    });
    times.warmUps = static_cast<std::size_t>(std::count_if(
        times.steps.begin(), times.steps.end(), [](const StepTime& step) { return step.isWarmUp; }));
}

std::string stepTitle(const Trace& trace, const StepTimes& times, std::size_t step) {
    if (const EventId event = times.steps[step].event)
        return std::string(trace.nameOf(event));
    return times.meaning + " " + std::to_string(step + 1) + " (pattern)";
}

} // namespace lacuna
