#pragma once
// A frame: what is visible, as plain geometry in device pixels, backend-neutral. Made by buildFrame(),
// replayed by painters, dumped as text by tests. x is relative to the left edge of the lanes, y to the top of
// the viewport (scroll already applied).

#include "core/analysis/gap_cause.h"
#include "core/base/ids.h"
#include "core/trace/event_table.h"
#include "core/view/viewport.h"

#include <cstdint>
#include <vector>

namespace lacuna {

// A run of pixels of one strip. count == 1: one event, exact, [x0, x1) may hold more than one pixel. count >
// 1: a dense pixel column of several events (x1 == x0 + 1); first is the first of them, longest gives colour
// and tooltip.
struct Bar {
    std::int32_t x0 = 0, x1 = 0; // [x0, x1), at least one pixel
    std::uint16_t strip = 0;     // visible strip of the lane, 0 = first visible
    EventId first, longest;
    std::uint32_t count = 1;
    float coverage = 1.0f;                          // share of the pixels' time that is covered, exact
    bool clippedLeft = false, clippedRight = false; // continues outside the view
};

struct CounterPoint { // one pixel column of a counter plot
    std::int32_t x = 0;
    double min = 0, max = 0, last = 0;
};

struct LaneFrame {
    std::uint32_t row = 0; // index into RowLayout::rows()
    LaneId lane;
    std::int32_t y = 0, height = 0; // device px
    std::int32_t stripTop = 0, stripPitch = 0, stripHeight = 0;
    std::vector<Bar> bars; // by (strip, x0)
    std::vector<CounterPoint> counter;
    double counterMin = 0, counterMax = 0;
};

struct GapMark {
    GapId gap;
    std::int32_t x0 = 0, x1 = 0; // [x0, x1)
    std::int32_t y = 0, height = 0;
    GapClass cls = GapClass::Unknown;
    bool labelled = false; // carries pin, letter and duration (one stream of the device)
};

enum class ArrowStyle : std::uint8_t { Ownership, Dependency };
struct Arrow {
    EventId from, to;
    std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    ArrowStyle style = ArrowStyle::Ownership;
    std::uint32_t count = 1; // more than 1: trunk of a fan ("350 kernels")
    bool toOutside = false;  // end is outside the view
    bool skewed = false;     // kernel before its launch
};

struct Frame {
    Viewport viewport; // in device px
    double scale = 1.0;
    std::int32_t heightPx = 0, scrollPx = 0;
    std::vector<LaneFrame> lanes;
    std::vector<GapMark> gaps;
    std::vector<Arrow> arrows;
};

} // namespace lacuna
