#pragma once
// What a figure says to who cannot see it.

#include "widgets/figure/figure_painter.h"

namespace lacuna::ui {

// The title that the figure shows, or would show.
QString figureTitle(const FigureInput& input);
// Paragraphs, one a line: title and subtitle, the time shown, how busy each device is in it, the worst idle
// gaps in it (at most three, with their verdicts), the numbered callouts.
QString figureAltText(const FigureInput& input);

} // namespace lacuna::ui
