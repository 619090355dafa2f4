#pragma once
// Marks of what a search found: a line along the lower edge of every bar that holds a hit, so that the bar
// keeps its colour and label.

class QPainter;

namespace lacuna::ui {

struct PaintContext;

// The painter is in logical pixels at the corner of the lanes.
void paintSearchHits(QPainter& painter, const PaintContext& context);

} // namespace lacuna::ui
