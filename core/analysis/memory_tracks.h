#pragma once
// Counters of memory in use.

#include "core/trace/trace.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

// Of bytes, and named so by the importers; with at least one sample.
inline bool isMemoryTrack(const CounterTrack& track) {
    return (track.unit == "B" || track.unit == "bytes") && track.name.find("memory") != std::string::npos &&
           !track.timeNs.empty();
}

// What belongs into one picture: what a device's allocator gave out and what it holds in reserve; else a
// curve alone.
struct MemoryCurves {
    std::string title; // "GPU 0 memory"
    std::vector<CounterId> tracks;
};
inline std::vector<MemoryCurves> memoryCurves(const Trace& trace) {
    std::vector<MemoryCurves> made;
    for (std::uint32_t c = 0; c < trace.counters().size(); ++c) {
        const CounterTrack& track = trace.counters()[c];
        if (!isMemoryTrack(track))
            continue;
        std::string title = track.name;
        for (const std::string_view end : {" allocated", " reserved"})
            if (title.ends_with(end))
                title.resize(title.size() - end.size());
        const auto sameOwner = [&](const MemoryCurves& one) {
            const CounterTrack& first = trace.counters()[one.tracks.front().v];
            return one.title == title && first.process == track.process && first.device == track.device;
        };
        const auto known = std::find_if(made.begin(), made.end(), sameOwner);
        if (known == made.end())
            made.push_back({std::move(title), {CounterId{c}}});
        else
            known->tracks.push_back({c});
    }
    return made;
}

} // namespace lacuna
