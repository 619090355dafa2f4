#pragma once
// The command that collects counters of one kernel, for the clipboard. The program's own command line is not
// in a trace: PROGRAM stands for it.

#include <cstdint>
#include <string>
#include <string_view>

namespace lacuna {

enum class NcuCollection : std::uint8_t { Full, Roofline, FiveNumbers };

inline constexpr unsigned kNcuLaunches = 5; // profiled; each is replayed tens of times

// `name` as in the timeline; `skip`: launches of the same function before the one of interest. The regular
// expression fits the function exactly, or the first template argument of a generic one ("Kernel2<…>").
std::string ncuCommand(std::string_view name, NcuCollection collection, std::uint64_t skip = 0);

} // namespace lacuna
