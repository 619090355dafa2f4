#pragma once
// Hatches as plain line segments, cut to their rectangle by geometry (vector back ends ignore clipping).

#include "core/analysis/gap_cause.h"

#include <QLineF>
#include <QPointF>
#include <QRectF>

#include <vector>

namespace lacuna::ui {

enum class Hatch : std::uint8_t { None, Slash, Backslash, Cross, Dots, Horizontal, Grid, VerticalDashes };

struct ClassLook { // one table, hatch.cpp (ux.md section 5)
    Hatch hatch = Hatch::None;
    bool dottedFrame = false;
    bool framed = true;
};
ClassLook lookOf(GapClass cls);

// Segments inside rect, `spacing` apart measured across the lines; phase (x, y) moves the pattern.
std::vector<QLineF> hatchLines(const QRectF& rect, Hatch hatch, double spacing, QPointF phase = {});
// The four sides as 2-on 2-off segments, inside the rectangle.
std::vector<QLineF> dottedFrame(const QRectF& rect);

} // namespace lacuna::ui
