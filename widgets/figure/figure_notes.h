#pragma once
// Notes under a figure: callouts that have no room for a box in its lanes stand there as numbers, and what
// they say is listed here.

#include "core/document/annotations.h"
#include "widgets/timeline/paint_context.h"

#include <QRectF>

#include <vector>

namespace lacuna::ui {

// In the order of their numbers. Anchors beside the shown time stay chips on the edge and are not listed.
std::vector<Callout> listedNotes(const TimelineScene& scene, const FigureFonts& fonts);
// One below the other; returns the height used. Paints when painter is set.
double layNotes(QPainter* painter, const std::vector<Callout>& notes, const QRectF& area,
                const ThemePalette& palette, const FigureFonts& fonts);

} // namespace lacuna::ui
