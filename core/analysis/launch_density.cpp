#include "core/analysis/launch_density.h"

#include "core/analysis/gap_names.h"

#include <algorithm>

namespace lacuna {

namespace {

// Starts of the lane's launches that are in no other one, ascending.
std::vector<std::int64_t> launchStarts(const Trace& trace, LaneId apiLane) {
    const EventTable& events = trace.events();
    gaps::NameFacts names(trace.strings());
    std::vector<TimeRange> launches;
    const auto strips = trace.strips(apiLane);
    for (const Strip& strip : strips)
        for (EventId e = strip.first; e < strip.last; ++e.v)
            if (names.has(events.name[e.v], gaps::NameFacts::kDeviceLaunch))
                launches.push_back(events.range(e));
    if (strips.size() > 1)
        std::ranges::sort(launches, [](const TimeRange& a, const TimeRange& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        });
    std::vector<std::int64_t> starts;
    starts.reserve(launches.size());
    std::int64_t insideUntil = INT64_MIN;
    for (const TimeRange& launch : launches) {
        if (launch.begin.v < insideUntil && launch.end.v <= insideUntil)
            continue;
        starts.push_back(launch.begin.v);
        insideUntil = std::max(insideUntil, launch.end.v);
    }
    return starts;
}

std::int64_t cellOf(std::int64_t ns) {
    return ns / kLaunchCellNs - (ns % kLaunchCellNs < 0 ? 1 : 0);
}

} // namespace

std::vector<LaunchCell> launchCells(const Trace& trace, LaneId apiLane) {
    std::vector<LaunchCell> cells;
    for (const std::int64_t start : launchStarts(trace, apiLane)) {
        const std::int64_t ms = cellOf(start);
        if (cells.empty() || cells.back().ms != ms)
            cells.push_back({ms, 0});
        ++cells.back().launches;
    }
    return cells;
}

CounterTrack launchRate(const std::vector<LaunchCell>& cells) {
    CounterTrack rate;
    rate.name = "launches";
    rate.unit = "launches/ms";
    const auto sample = [&rate](std::int64_t time, std::uint32_t value) {
        rate.timeNs.push_back(time);
        rate.value.push_back(value);
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const TimeRange cell = cells[i].range();
        sample(cell.begin.v, cells[i].launches);
        if (i + 1 == cells.size() || cells[i + 1].ms != cells[i].ms + 1)
            sample(cell.end.v, 0);
    }
    return rate;
}

} // namespace lacuna
