#pragma once
// Legend of a figure: what is in view only.

#include "widgets/timeline/paint_context.h"

#include <vector>

namespace lacuna::ui {

struct Legend {
    std::vector<Ink> kinds;         // in the order of the lanes; none where colours mean something else
    std::vector<EventGroup> groups; // then these, those with most bars first
    int moreGroups = 0;             // not named for lack of room
    std::vector<GapClass> classes;  // in the order of the enumeration
    bool launchRate = false;        // launches per ms over CUDA API calls
    std::vector<Ink> notes;         // their colours, each once
    bool ownershipArrows = false, dependencyArrows = false;
};

Legend legendOf(const TimelineScene& scene);
// Entries from left to right in as many lines as needed; returns the height used. Paints when painter is set.
double layLegend(QPainter* painter, const Legend& legend, QRectF area, const ThemePalette& palette,
                 const FigureFonts& fonts);

} // namespace lacuna::ui
