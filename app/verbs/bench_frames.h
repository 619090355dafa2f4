#pragma once
// Frame times of a loaded trace: the scripted zoom and pan of the performance reference, painted into an
// image of 1920x1080 by the renderer that the window uses.

#include "core/analysis/gap_analysis.h"
#include "core/view/viewport.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace lacuna {
class JobControl;
}

namespace lacuna::ui {

struct FrameTimes {
    std::size_t count = 0;
    double medianMs = 0, p99Ms = 0, maxMs = 0;
};

// Zoom in from the whole window to 1 us a pixel, pans at four depths, zoom out; exactly `count` views.
std::vector<Viewport> benchScript(TimeRange window, int widthPx, std::size_t count);

// Needs a QGuiApplication. None when the job was cancelled. count > 0.
std::optional<FrameTimes> benchFrames(const GapAnalysis& analysis, std::size_t count, JobControl& job);

} // namespace lacuna::ui
