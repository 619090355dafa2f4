#pragma once
// Where the rows of a trace stand in a viewer of Chrome traces: a process id and a thread id for every lane.
// Threads keep the system's numbers; devices are processes of their own, numbered like their ordinal where
// that is free; lanes whose rows may cross those of their thread get a thread of their own.

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lacuna::chrome {

struct LanePlace {
    std::int64_t pid = 0, tid = 0;
    std::optional<std::size_t> number; // in the list of lanes; none: the lane is not written
};

class Layout {
public:
    // `lanes` and `counters`: which of them are written.
    Layout(const Trace& trace, const std::vector<bool>& lanes, const std::vector<bool>& counters);

    const LanePlace& lane(LaneId id) const { return m_lanes[id.v]; }
    const LanePlace& counter(CounterId id) const { return m_counters[id.v]; }

    // The lists of the root member "lacuna": `,"processes":[...],...,"counters":[...]`.
    void appendLists(std::string& out) const;
    // Names and sort indexes as metadata events, each on a line, separated by commas.
    void appendNames(std::string& out) const;

private:
    std::int64_t processPid(ProcessId id);
    std::int64_t devicePid(DeviceId id);
    std::int64_t freeTid(std::int64_t pid, std::int64_t wanted);
    std::string deviceTitle(DeviceId id) const;
    std::string laneTitle(const Lane& lane) const;

    const Trace& m_trace;
    std::vector<LanePlace> m_lanes, m_counters;
    std::vector<std::int64_t> m_processPids, m_devicePids; // by id
    std::vector<bool> m_usedDevices;
    std::set<std::int64_t> m_pids;
    std::set<std::pair<std::int64_t, std::int64_t>> m_threads;
};

} // namespace lacuna::chrome
