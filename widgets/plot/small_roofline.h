#pragma once
// The roofline of one kernel, small enough for a page: one roof, its dot, the others pale.

#include "core/ncu/roofline.h"
#include "widgets/plot/plot_scene.h"
#include "widgets/theme/theme_palette.h"

#include <vector>

namespace lacuna::ui {

struct SmallRoofline {
    RooflinePoint here; // gives the roofs, too
    std::vector<RooflinePoint> others;
};

PlotScene smallRooflineScene(const SmallRoofline& input, const ThemePalette& palette, QSize size,
                             const FigureFonts& fonts);

} // namespace lacuna::ui
