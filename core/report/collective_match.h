#pragma once
// How collectives of several ranks are matched, without clocks: by name and order. One ends on all ranks at
// about the same time, so the rank whose kernel was the shortest came last, and the others waited by how much
// theirs were longer.

#include "core/analysis/busy_devices.h"
#include "core/base/job_control.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lacuna {

// Those of one rank by name, in order of time. Texts are the same on all ranks, numbers of names are not.
using Collectives = std::map<std::string, std::vector<EventId>, std::less<>>;

// Of all devices. None when the job was cancelled. O(n log n) of the operations.
std::optional<Collectives> collectivesOf(const Trace& trace, const BusyDevices& devices, JobControl& job);

// Who came last to one collective that took so long on each rank; none when several did at once.
std::optional<std::size_t> lastToCome(std::span<const std::int64_t> durations);

} // namespace lacuna
