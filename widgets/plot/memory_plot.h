#pragma once
// Memory in use over time: what was given out, and the reserve behind it; the peak is marked.

#include "core/base/time.h"
#include "core/trace/trace.h"
#include "widgets/plot/step_plots.h"

#include <vector>

namespace lacuna::ui {

struct MemoryPlotInput {
    QString title;
    std::vector<const CounterTrack*> tracks; // at least one; the first has the peak
    TimeRange range;                         // shown, not empty
};
struct MemoryPlot {
    PickScene made;
    std::vector<TimeNs> at; // by item: a column's time of most in use
};
// Of several samples in one column the largest is drawn and told. O(samples in range).
MemoryPlot memoryPlot(const MemoryPlotInput& input, const ThemePalette& palette, QSize size,
                      const FigureFonts& fonts);

} // namespace lacuna::ui
