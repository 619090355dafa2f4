#pragma once
// Background and bars of all lanes, each pixel written once and lanes side by side on several threads: in a
// dense frame this is most of what there is to do.

#include "widgets/timeline/canvas.h"
#include "widgets/timeline/lane_painter.h"

#include <vector>

namespace lacuna::ui {

// The background, line by line: ground with what stands in columns, but for lines of one colour.
struct GroundPlan {
    std::vector<QRgb> columns; // one line of the picture
    std::vector<QRgb> solid;   // per line of the picture; 0: as `columns`

    // Line y of the canvas, which has the plan's size.
    void paintLine(const Canvas& canvas, int y) const;
};

// Null where there is no painter for a kind of lane.
const LanePainter* painterFor(const LanePainterList& list, LaneKind kind);

// The whole canvas, which has the size of the frame.
void paintLanePicture(const Canvas& canvas, const GroundPlan& ground, const LanePainterList& painters,
                      const PaintContext& context);

} // namespace lacuna::ui
