#pragma once
// Where the time of the window went, each ns once: what the device did, else what it waited for.

#include "core/findings/context.h"

#include <array>

namespace lacuna::findings {

enum class TimeShare : std::uint8_t {
    Compute,       // kernels, whatever runs beside them
    Communication, // exposed
    Copy,          // exposed copies, host held by pageable memory, queue drained by a blocking copy
    Input,         // idle in data loading
    Launch,        // idle because the host launched late
    Wait,          // idle because the host had waited and could not prepare
    Allocation,
    Device,  // queued, but held by other work or between nodes of a graph
    StartUp, // start-up and profiler
    Unknown,
};
inline constexpr std::size_t kTimeShares = static_cast<std::size_t>(TimeShare::Unknown) + 1;
std::string_view timeShareTitle(TimeShare share); // "late launches"

struct TimeShares {
    std::array<std::int64_t, kTimeShares> ns{}; // sums to whole
    std::int64_t whole = 0;                     // FindingContext::windowNs()
    GapId longestInput, longestLaunch;
    std::int64_t of(TimeShare share) const { return ns[static_cast<std::size_t>(share)]; }
    double share(TimeShare which) const {
        return whole == 0 ? 0 : static_cast<double>(of(which)) / static_cast<double>(whole);
    }
};

// A gap counts as input when more than half of its part in the window lies in data loading. O(gaps log n).
TimeShares timeShares(const FindingContext& context, JobControl& job);

} // namespace lacuna::findings
