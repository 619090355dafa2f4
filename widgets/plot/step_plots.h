#pragma once
// Plots of a quantity of the steps: how it is spread, with its modes, and how it goes from step to step, with
// its drift. What stands where is told beside the scene, so that a bar can be pointed at.

#include "core/analysis/duration_pattern.h"
#include "core/analysis/sample_statistics.h"
#include "widgets/plot/plot_scene.h"
#include "widgets/theme/theme_palette.h"

#include <QRectF>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace lacuna::ui {

struct PlotPick {
    QRectF area; // where the pointer means it
    std::size_t item = 0;
    QString tip; // plain text
};
struct PickScene {
    PlotScene scene;
    std::vector<PlotPick> picks; // from left to right
};

struct StepHistogram {
    QString quantity, noun;         // "Duration", "step"
    std::vector<HistogramBin> bins; // at least one
    double median = 0, p95 = 0;
    std::vector<DurationMode> modes;
    std::optional<std::size_t> current; // bin
};
// Items are bins; empty ones cannot be picked.
PickScene stepHistogramScene(const StepHistogram& input, const ThemePalette& palette, QSize size,
                             const FigureFonts& fonts);

struct StepBar {
    std::size_t step = 0;
    std::int64_t ns = 0;
    std::int64_t dataNs = 0; // stacked on it: what the step waited for
    bool isWarmUp = false, isUnusual = false;
    QString title; // "ProfilerStep#3"
};
struct StepCourse {
    QString quantity;
    std::vector<StepBar> bars;  // at least one, in order
    double median = 0;          // of those that count; 0: no line
    std::optional<Drift> drift; // drawn from firstMeasured to the last bar
    std::size_t firstMeasured = 0;
    std::optional<std::size_t> current; // step
};
// Items are steps. Of several steps in one pixel the longest is drawn and picked.
PickScene stepCourseScene(const StepCourse& input, const ThemePalette& palette, QSize size,
                          const FigureFonts& fonts);

} // namespace lacuna::ui
