#include "core/findings/memory_levels.h"

#include <algorithm>

namespace lacuna::findings {

std::vector<MemoryLevel> memoryLevels(const FindingContext& context, std::string_view word) {
    std::vector<MemoryLevel> levels;
    const auto counters = context.trace.counters();
    for (std::uint32_t c = 0; c < counters.size(); ++c) {
        const CounterTrack& track = counters[c];
        if (track.name.find(word) == std::string::npos || track.name.starts_with("CPU") ||
            track.timeNs.size() == 0)
            continue;
        MemoryLevel level;
        level.counter = {c};
        level.name = track.name;
        for (const StepTime& step : context.steps.measured()) {
            const auto* const begin = track.timeNs.data();
            const auto* const after = std::upper_bound(begin, begin + track.timeNs.size(), step.range.end.v);
            if (after != begin) // a level before the first sample is not known
                level.atStepEnds.push_back(track.value[static_cast<std::size_t>(after - begin) - 1]);
        }
        if (level.atStepEnds.size() >= 2) {
            level.first = level.atStepEnds.front();
            level.last = level.atStepEnds.back();
        }
        levels.push_back(std::move(level));
    }
    return levels;
}

} // namespace lacuna::findings
