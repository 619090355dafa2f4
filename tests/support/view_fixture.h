#pragma once
// A loaded trace with its gaps, a layout and a frame: what painters need.

#include "core/analysis/gap_analysis.h"
#include "core/view/build_frame.h"
#include "widgets/timeline/timeline_renderer.h"

#include <memory>
#include <string>

namespace lacuna::test {

struct LoadedView {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const GapAnalysis> gaps;
    explicit operator bool() const { return trace && gaps; }
};

// From tests/fixtures; both null when it cannot be loaded.
LoadedView loadView(const std::string& fixtureFile);
// From text in the Chrome format.
LoadedView viewOfJson(const std::string& json);

// Layout, frame and scene over a LoadedView; keeps them alive together.
struct PaintedView {
    LoadedView loaded;
    RowLayout layout;
    Frame frame;
    ui::TimelineScene scene;

    PaintedView(LoadedView view, TimeRange range, int widthPx, int heightPx, double scale = 1.0,
                const Selection& selection = {}, const LayoutOptions& options = {}, int scrollPx = 0);
    PaintedView(const PaintedView&) = delete;
    PaintedView& operator=(const PaintedView&) = delete;
};

} // namespace lacuna::test
