#pragma once
// Point -> what is there. Queries the sorted strips, not remembered rectangles. x, y in device pixels of the
// viewport that buildFrame() was given. At a shared edge the later event wins. A gap mark is hit where no bar
// is.

#include "core/analysis/gap_analysis.h"
#include "core/view/row_layout.h"
#include "core/view/selection.h"
#include "core/view/viewport.h"

namespace lacuna {

struct HitInput {
    std::int32_t scrollPx = 0; // device px
    double scale = 1.0;
    const GapAnalysis* gaps = nullptr;
    double slackPx = 2.0; // events narrower than this are hit this far away
};

Selection hitTest(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                  const HitInput& input, int x, int y);

} // namespace lacuna
