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
    float coverage = 1.0f; // share of the pixels' time that is covered, exact; 1 if and only if all of it is
    float head = 1.0f, tail = 1.0f; // the same of the first and the last pixel; those between are full
    bool clippedLeft = false, clippedRight = false; // continues outside the view
    std::uint8_t partCount = 0;                     // device lanes; 0: all of one kind
    std::uint32_t firstPart = 0;                    // into LaneFrame::parts
};

// Share of one kind in a dense column of several kinds (kernels, copies, memsets): their colours are mixed by
// covered time.
struct BarPart {
    EventId event;      // gives the colour
    float share = 0.0f; // of the covered time; the parts of a bar sum to 1
};

struct CounterPoint { // one pixel column of a counter plot; only columns with a sample, and the first one
    std::int32_t x = 0;
    double min = 0, max = 0, last = 0;
};

struct LaneFrame {
    std::uint32_t row = 0; // index into RowLayout::rows()
    LaneId lane;
    std::int32_t y = 0, height = 0;                             // device px
    std::int32_t stripTop = 0, stripPitch = 0, stripHeight = 0; // stripTop is relative to y
    std::int32_t subPitch = 0, subHeight = 0; // of the second and further strips (smaller on streams)
    std::vector<Bar> bars;                    // by (strip, x0), never overlapping in a strip
    std::vector<BarPart> parts;               // of the bars that have several kinds
    std::int32_t rateTop = 0, rateHeight = 0; // of launches per ms, relative to y; 0, 0 without
    std::vector<CounterPoint> counter;        // a counter's, or launches per ms
    double counterMin = 0, counterMax = 0;    // of the whole track

    // Of the n-th visible strip; y in the frame.
    std::int32_t stripY(std::uint32_t n) const {
        return y + stripTop + (n == 0 ? 0 : stripPitch + static_cast<std::int32_t>(n - 1) * subPitch);
    }
    std::int32_t heightOf(std::uint32_t n) const { return n == 0 ? stripHeight : subHeight; }
};

struct GapMark {
    GapId gap;
    std::int32_t x0 = 0, x1 = 0; // [x0, x1)
    std::int32_t y = 0, height = 0;
    GapClass cls = GapClass::Unknown;
    // No whole pixel is idle: x0 is the one with the larger idle share, and a bar may be under the mark.
    bool overBar = false;
    bool labelled = false; // carries pin, letter and duration (one stream of the device)
};

enum class ArrowStyle : std::uint8_t { Ownership, Dependency };
struct Arrow {
    EventId from, to;
    std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    ArrowStyle style = ArrowStyle::Ownership;
    std::uint32_t count = 1;                     // more than 1: trunk of a fan ("350 kernels")
    bool fromOutside = false, toOutside = false; // that end is outside the view
    bool skewed = false;                         // kernel before its launch
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
