#pragma once
// How often loops over rows look at JobControl: some ten thousand times a second at the slowest, so that a
// cancel takes effect at once and the looking costs nothing that can be measured.

#include <cstddef>

namespace lacuna {

inline constexpr std::size_t kRowsPerPoll = 4096; // a power of two

} // namespace lacuna
