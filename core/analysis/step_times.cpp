#include "core/analysis/step_times.h"

#include "core/analysis/busy_devices.h"
#include "core/analysis/gap_names.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {

IntervalSet dataLoadingTimes(const Trace& trace, RowPoll& poll) {
    const EventTable& events = trace.events();
    gaps::NameFacts names(trace.strings());
    std::vector<TimeRange> ranges;
    for (const Strip& strip : trace.strips()) {
        const LaneKind kind = trace.lane(strip.lane).kind;
        if (kind != LaneKind::Range && kind != LaneKind::CpuThread)
            continue;
        for (EventId e = strip.first; e < strip.last && poll.tick(); ++e.v)
            if (names.has(events.name[e.v], gaps::NameFacts::kDataLoading))
                ranges.push_back(events.range(e));
    }
    return IntervalSet::fromUnsorted(std::move(ranges));
}

std::int64_t lowerMedianOf(std::vector<std::int64_t> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

bool isSlow(std::int64_t duration, std::int64_t median, double factor) {
    return static_cast<double>(duration) >= factor * static_cast<double>(median);
}

} // namespace

std::size_t countWarmUps(std::span<const std::int64_t> durations, const StepThresholds& thresholds) {
    if (durations.size() < 3)
        return 0;
    const std::int64_t median = lowerMedianOf({durations.begin(), durations.end()});
    std::size_t count = 0;
    while (count < durations.size() / 2 && isSlow(durations[count], median, thresholds.warmUpFactor))
        ++count;
    return count;
}

Result<StepTimes> stepTimes(const Trace& trace, std::span<const DeviceId> devices, JobControl& job,
                            const StepThresholds& thresholds) {
    const Steps found = findSteps(trace);
    StepTimes result;
    result.source = found.source;
    if (found.events.empty())
        return result;
    const EventTable& events = trace.events();
    IntervalSet busy;
    std::vector<std::int64_t> starts;
    BusyDevices all(trace);
    for (const DeviceId device : devices) {
        busy = busy.united(all.busy(device, job).busy);
        for (const EventId op : all.ops(device))
            starts.push_back(events.beginNs[op.v]);
    }
    std::sort(starts.begin(), starts.end());
    RowPoll poll(job);
    const IntervalSet data = dataLoadingTimes(trace, poll);
    if (job.cancelled())
        return cancelledError();

    std::vector<std::int64_t> durations;
    durations.reserve(found.events.size());
    for (const EventId step : found.events)
        durations.push_back(events.duration(step).v);
    result.warmUps = countWarmUps(durations, thresholds);
    const std::int64_t median = found.medianNs;
    const auto startsBefore = [&](TimeNs t) {
        return std::lower_bound(starts.begin(), starts.end(), t.v) - starts.begin();
    };
    result.steps.reserve(found.events.size());
    for (std::size_t k = 0; k < found.events.size(); ++k) {
        StepTime step;
        step.event = found.events[k];
        step.range = events.range(step.event);
        step.busyNs = busy.measureIn(step.range).v;
        step.dataNs = data.measureIn(step.range).v;
        step.deviceOps =
            static_cast<std::uint64_t>(startsBefore(step.range.end) - startsBefore(step.range.begin));
        step.isWarmUp = k < result.warmUps;
        step.isUnusual =
            !step.isWarmUp && durations.size() > 2 && isSlow(durations[k], median, thresholds.unusualFactor);
        result.steps.push_back(step);
    }
    return result;
}

} // namespace lacuna
