#pragma once
// The plots of one kernel: how its durations are spread, how they go over time, what-if curves of occupancy,
// stall reasons. Scenes without text that could differ between machines.

#include "core/base/ids.h"
#include "core/ncu/occupancy.h"
#include "core/ncu/stall_reasons.h"
#include "widgets/plot/plot_scene.h"
#include "widgets/theme/theme_palette.h"

#include <cstdint>
#include <vector>

namespace lacuna::ui {

struct DurationHistogram {
    std::vector<std::int64_t> durationsNs; // at least one
    std::int64_t medianNs = 0, p95Ns = 0;
};
// Width of a bin in ns: round, at most 32 bins.
std::int64_t histogramBin(const std::vector<std::int64_t>& durationsNs);
PlotScene histogramScene(const DurationHistogram& input, const ThemePalette& palette, QSize size,
                         const FigureFonts& fonts);

struct DurationsOverTime {
    std::vector<std::int64_t> beginNs, durationNs; // by start, equally many
    std::int64_t selectedBeginNs = -1;             // drawn large; none: -1
};
PlotScene overTimeScene(const DurationsOverTime& input, const ThemePalette& palette, QSize size,
                        const FigureFonts& fonts);

// Three curves beside each other: block size, registers, shared memory.
PlotScene occupancyScene(const GpuProperties& gpu, const OccupancyInput& launch, const ThemePalette& palette,
                         QSize size, const FigureFonts& fonts);

// Rows of 19 px, the largest first; height that they need.
int stallHeight(const Stalls& stalls);
PlotScene stallScene(const Stalls& stalls, const ThemePalette& palette, QSize size, const FigureFonts& fonts);

} // namespace lacuna::ui
