#pragma once
// Trace + layout + viewport -> Frame. Pure; cost is min(events, pixels) per strip times log n. Bucket edges
// lie on an absolute time grid (multiples of nsPerPx), never on the window's left edge, or panning shimmers:
// so the viewport's begin is expected to be a multiple of nsPerPx rounded to ns; snapped() (pixel_grid.h)
// makes it so, and Frame::viewport is the snapped one.

#include "core/analysis/gap_analysis.h"
#include "core/view/arrow_options.h"
#include "core/view/frame.h"
#include "core/view/pixel_grid.h"
#include "core/view/row_layout.h"
#include "core/view/selection.h"

namespace lacuna {

class Crew;

struct FrameOptions {
    std::int32_t heightPx = 0, scrollPx = 0; // device px of the visible part
    double scale = 1.0;                      // device px per logical px
    const GapAnalysis* gaps = nullptr;       // null: no gap marks
    Selection selection;                     // arrows are made for it
    Crew* crew = nullptr;                    // borrowed: does the lanes; null: the caller alone
    ArrowOptions arrows = {};
};

Frame buildFrame(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                 const FrameOptions& options);
// The same into a frame whose memory is used again: frames of one view are alike in size.
void buildFrame(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                const FrameOptions& options, Frame& into);
// Only the arrows of a frame that is right in all else: another selection.
void rebuildArrows(const Trace& trace, const RowLayout& layout, const FrameOptions& options, Frame& frame);
// Text form for golden tests: a line per row (key, y, height), then
// "  strip 0 | 12..40 kernel_a | 41..42 (17) 0.62" per strip.
std::string dumpFrame(const Trace& trace, const RowLayout& layout, const Frame& frame);

} // namespace lacuna
