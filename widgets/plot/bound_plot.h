#pragma once
// The table of SM and DRAM throughput as a chart of two by two: where a kernel stands tells what bounds it
// (core/ncu/kernel_diagnosis.h).

#include "widgets/plot/plot_scene.h"
#include "widgets/theme/theme_palette.h"

#include <optional>
#include <vector>

namespace lacuna::ui {

struct BoundPoint {
    double smPct = 0, dramPct = 0; // of the peak
    QString name;
};

struct BoundPlot {
    std::optional<BoundPoint> here;
    std::vector<BoundPoint> others; // of the same file, drawn small
};

PlotScene boundScene(const BoundPlot& input, const ThemePalette& palette, QSize size,
                     const FigureFonts& fonts);

} // namespace lacuna::ui
