#pragma once
// How a lane of one kind is painted. Stateless, so one instance serves all lanes. A new kind is one file with
// a painter and one line in builtin_painters.cpp.

#include "widgets/timeline/paint_context.h"

#include <QImage>

#include <memory>
#include <vector>

class QPainter;

namespace lacuna::ui {

class LanePainter {
public:
    virtual ~LanePainter() = default;
    // Fills, in device pixels, straight into the image (ARGB32 premultiplied, lane background already there).
    virtual void paintBars(QImage& image, const LaneFrame& lane, const PaintContext& context) const = 0;
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
