#pragma once
// Arrows of the selection and of what is pointed at: vertical S-curves with a filled head, dashed for
// dependencies, one trunk with a count for a fan, chips on the edge for ends outside the view.

#include "widgets/timeline/paint_context.h"

#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

namespace lacuna::ui {

struct ArrowChip { // on the edge of the view; a click jumps to the event
    EventId target;
    QRectF rect; // logical px of the lanes area
    QString text;
};

void paintArrows(QPainter& painter, const PaintContext& context);
// Of what the pointer is at: a thin line, with the time from launch to start where it is one arrow.
void paintThinArrows(QPainter& painter, const PaintContext& context, const std::vector<Arrow>& arrows);
// What a repaint of those covers, in logical px of the lanes area.
QRectF thinArrowsRect(const std::vector<Arrow>& arrows, double scale);
std::vector<ArrowChip> arrowChips(const TimelineScene& scene, const FigureFonts& fonts);
void paintArrowChips(QPainter& painter, const PaintContext& context);
// For legends: a line across the middle of the rectangle.
void paintArrowSample(QPainter& painter, const QRectF& rect, ArrowStyle style, const ThemePalette& palette);

// What the styles of the arrows in view mean, in the lower right corner of the window's lanes; figures have a
// legend of their own. Empty: no arrow is drawn, or there is no room.
struct ArrowLegend {
    struct Entry {
        std::optional<ArrowStyle> style; // none: the sign of a skewed one
        QString text;
        double widthPx = 0; // of the text
    };
    std::vector<Entry> entries;
    QRectF rect; // logical px of the lanes area
};
ArrowLegend arrowLegend(const TimelineScene& scene, const FigureFonts& fonts);
void paintArrowLegend(QPainter& painter, const PaintContext& context);

} // namespace lacuna::ui
