#pragma once
// What a lane painter may read while it paints.

#include "core/analysis/gap_analysis.h"
#include "core/document/annotations.h"
#include "core/view/frame.h"
#include "core/view/row_layout.h"
#include "widgets/figure/figure_fonts.h"
#include "widgets/theme/theme_palette.h"
#include "widgets/timeline/emphasis.h"
#include "widgets/timeline/label_cache.h"

#include <vector>

namespace lacuna::ui {

// All that is drawn in one frame of the timeline. Borrowed pointers, valid during the call only.
struct TimelineScene {
    const Trace* trace = nullptr;
    const RowLayout* layout = nullptr;
    const Frame* frame = nullptr;
    const GapAnalysis* gaps = nullptr; // null: not computed yet
    Emphasis emphasis;
    std::vector<GapPin> pins;
    const AnnotationSet* annotations = nullptr; // null: none shown
    std::uint32_t selectedCallout = 0;          // id; 0 = none
};

struct PaintContext {
    const TimelineScene& scene;
    const ThemePalette& palette;
    const FigureFonts& fonts;
    LabelCache& labels;    // full-strength labels
    LabelCache& dimLabels; // labels on dimmed bars
};

} // namespace lacuna::ui
