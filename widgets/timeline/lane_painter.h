#pragma once
// How a lane of one kind is painted. Stateless, so one instance serves all lanes. A new kind is one file with
// a painter and one line in builtin_painters.cpp.

#include "widgets/timeline/canvas.h"
#include "widgets/timeline/paint_context.h"

#include <memory>
#include <vector>

class QPainter;

namespace lacuna::ui {

class LanePainter {
public:
    virtual ~LanePainter() = default;
    // Fills, in device pixels, straight into the picture (ARGB32 premultiplied, lane background already
    // there). Lanes are painted by several threads at a time, each in its own lines.
    virtual void paintBars(const Canvas& canvas, const LaneFrame& lane,
                           const PaintContext& context) const = 0;
    // Whether paintBars() writes each strip that has bars as its first line, copied down: then only that one
    // needs its background.
    virtual bool copiesStripsDown() const { return false; }
    // The same fills as geometry, for vector formats; the painter is in logical pixels at the corner of the
    // lanes. Nothing reaches out of the frame: such formats know no clipping. A bar that touches the next one
    // reaches `overlapPx` device pixels under it: readers smooth edges, and the ground would show between.
    virtual void drawBars(QPainter& painter, const LaneFrame& lane, const PaintContext& context,
                          double overlapPx) const = 0;
    // Text and lines on top; the painter is in logical pixels. Called after gap marks and arrows.
    virtual void paintLabels(QPainter& painter, const LaneFrame& lane, const PaintContext& context) const = 0;
};

struct LanePainterEntry {
    LaneKind kind;
    std::unique_ptr<const LanePainter> painter;
};
using LanePainterList = std::vector<LanePainterEntry>;

} // namespace lacuna::ui
