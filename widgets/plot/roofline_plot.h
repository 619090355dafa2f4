#pragma once
// The roofline of a file's kernels as a plot: the roof of one precision over DRAM, L2 and L1, a numbered dot
// for each kernel, and a list in the order of headroom.

#include "core/ncu/roofline.h"
#include "widgets/plot/plot_scene.h"
#include "widgets/theme/theme_palette.h"

namespace lacuna::ui {

struct RooflinePlotInput {
    const NcuFile* file = nullptr;
    const Roofline* roofline = nullptr; // with at least one point of the precision
    std::string precision;              // one of roofline->precisions
    Theme theme = Theme::Light;
    QSize size{1000, 640}; // logical pixels; at least 480 x 360
};

// Kernels that are listed below the plot; the others are dots only.
inline constexpr std::size_t kListedKernels = 10;

PlotScene rooflineScene(const RooflinePlotInput& input, const FigureFonts& fonts);

} // namespace lacuna::ui
