#pragma once
// Vertical geometry of a row in device pixels: one place that rounds, for frame, hit test and arrows.

#include "core/view/row_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace lacuna {

inline std::int32_t scaledPx(std::int32_t logical, double scale) {
    return static_cast<std::int32_t>(std::lround(logical * scale));
}

struct StripMetrics {
    std::int32_t y = 0, height = 0; // of the row, scroll applied
    std::int32_t rateTop = 0, rateHeight = 0;
    std::int32_t top = 0, pitch = 0, stripHeight = 0, subPitch = 0, subHeight = 0;
    std::uint32_t count = 0;

    StripMetrics(const TimelineRow& row, double scale, std::int32_t scrollPx)
        : y(scaledPx(row.y, scale) - scrollPx),
          height(scaledPx(row.y + row.height, scale) - scaledPx(row.y, scale)),
          rateTop(scaledPx(row.rateTop, scale)), rateHeight(scaledPx(row.rateHeight, scale)),
          top(scaledPx(row.stripTop, scale)), pitch(scaledPx(row.stripPitch, scale)),
          stripHeight(scaledPx(row.stripHeight, scale)), subPitch(scaledPx(row.subPitch, scale)),
          subHeight(scaledPx(row.subHeight, scale)), count(row.stripCount) {}

    std::int32_t stripY(std::uint32_t n) const {
        return y + top + (n == 0 ? 0 : pitch + static_cast<std::int32_t>(n - 1) * subPitch);
    }
    std::int32_t heightOf(std::uint32_t n) const { return n == 0 ? stripHeight : subHeight; }
    // Bottom of the last visible strip; of the first when there is none.
    std::int32_t bottom() const {
        const std::uint32_t last = count == 0 ? 0 : count - 1;
        return stripY(last) + heightOf(last);
    }
    // The strip at a y of the frame; the space between two strips belongs to the upper one.
    std::optional<std::uint32_t> stripAt(std::int32_t at) const {
        if (count == 0 || at < y + top || at >= bottom())
            return std::nullopt;
        if (count == 1 || at < stripY(1))
            return 0;
        return std::min(count - 1, 1 + static_cast<std::uint32_t>((at - stripY(1)) / std::max(1, subPitch)));
    }
};

} // namespace lacuna
