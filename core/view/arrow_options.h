#pragma once
// Which arrows are drawn: View, Arrows.

#include "core/base/time.h"

#include <cstdint>
#include <optional>

namespace lacuna {

enum class ArrowScope : std::uint8_t {
    Off,
    Selected, // of what is selected
    Range,    // and of the device work that begins in a range
};

inline constexpr std::uint32_t kMostHops = 5;
inline constexpr std::size_t kMostArrows = 200;

struct ArrowOptions {
    ArrowScope scope = ArrowScope::Selected;
    std::uint32_t hops = 1;         // from the selection, 1 to kMostHops
    bool opensFans = false;         // a fan's arrows one by one
    std::optional<TimeRange> range; // of ArrowScope::Range; none: what the view shows
    friend bool operator==(const ArrowOptions&, const ArrowOptions&) = default;
};

} // namespace lacuna
