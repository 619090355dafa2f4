#pragma once
// Arrows of a selection, one hop (ux.md section 7): a host call and the device work it submitted, both ways;
// an operator, the launch calls under it and their work; a gap, the queue that ran dry and the wait that
// returned (dashed), the next launch and the next operation; arrows that the file records, both ways. None
// without a selection.

#include "core/analysis/gap_analysis.h"
#include "core/view/frame.h"
#include "core/view/row_layout.h"
#include "core/view/selection.h"

#include <vector>

namespace lacuna {

struct ArrowInput {
    std::int32_t heightPx = 0, scrollPx = 0; // device px, as in FrameOptions
    double scale = 1.0;
    const GapAnalysis* gaps = nullptr;
};

inline constexpr std::size_t kFanLimit = 12; // more arrows from one event become one trunk with a count

// x and y may lie outside the view (toOutside); they are cut to a million pixels. O(launches under the
// selected operator + device work of one call).
std::vector<Arrow> buildArrows(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                               const Selection& selection, const ArrowInput& input);

} // namespace lacuna
