#pragma once
// Arrows of a selection (ux.md section 7): a host call and the device work it submitted, both ways; an
// operator, the launch calls under it and their work; a gap, the queue that ran dry and the wait that
// returned (dashed), the next launch and the next operation; arrows that the file records, both ways. One
// hop, or more from what the first ones lead to. On request those of all work in a range too.

#include "core/analysis/gap_analysis.h"
#include "core/view/arrow_options.h"
#include "core/view/frame.h"
#include "core/view/row_layout.h"
#include "core/view/selection.h"

#include <vector>

namespace lacuna {

struct ArrowInput {
    std::int32_t heightPx = 0, scrollPx = 0; // device px, as in FrameOptions
    double scale = 1.0;
    const GapAnalysis* gaps = nullptr;
    ArrowOptions options = {};
};

inline constexpr std::size_t kFanLimit = 12; // more arrows from one event become one trunk with a count

// At most kMostArrows; never one twice. x and y may lie outside the view (fromOutside, toOutside); they are
// cut to a million pixels. O(launches under the selected operator + device work of one call + waits between
// streams that the trace records), that for each event reached by further hops, and for a range O(streams *
// log n + kMostArrows * streams).
std::vector<Arrow> buildArrows(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                               const Selection& selection, const ArrowInput& input);

// The other ends of the arrows that leave the selection (forward) or come to it, by their begin, each once;
// a fan's one by one, whatever is drawn. An operator's arrows come to it from nowhere but what the file
// records.
std::vector<EventId> arrowEnds(const Trace& trace, const GapAnalysis* gaps, const Selection& selection,
                               bool forward);

// Whether there is one, without looking for all: what commands ask at every change of the selection.
bool hasArrowEnds(const Trace& trace, const GapAnalysis* gaps, const Selection& selection, bool forward);

// Rows that are looked at to find what was launched under an operator: what hovering over it costs. 0 for
// anything else.
std::size_t arrowWork(const Trace& trace, EventId event);

} // namespace lacuna
