#pragma once
// Callouts: a box at a screen distance from its anchor, a leader with at most one right angle, an anchor dot
// on the edge of its target. Folded lanes hand the anchor to the head of their group; anchors outside the
// view become numbered pins on the edge.

#include "widgets/timeline/timeline_renderer.h"

namespace lacuna::ui {

std::vector<CalloutPlace> calloutPlaces(const TimelineScene& scene, const FigureFonts& fonts);
void paintCallouts(QPainter& painter, const PaintContext& context);

} // namespace lacuna::ui
