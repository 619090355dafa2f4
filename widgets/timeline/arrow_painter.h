#pragma once
// Arrows of the selection: vertical S-curves with a filled head, dashed for dependencies, one trunk with a
// count for a fan, chips on the edge for ends outside the view.

#include "widgets/timeline/paint_context.h"

#include <QRectF>

#include <vector>

namespace lacuna::ui {

struct ArrowChip { // on the edge of the view; a click jumps to the event
    EventId target;
    QRectF rect; // logical px of the lanes area
    QString text;
};

void paintArrows(QPainter& painter, const PaintContext& context);
std::vector<ArrowChip> arrowChips(const TimelineScene& scene, const FigureFonts& fonts);
void paintArrowChips(QPainter& painter, const PaintContext& context);

} // namespace lacuna::ui
