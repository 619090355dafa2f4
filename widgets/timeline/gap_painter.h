#pragma once
// Gap marks of a frame and the small gap pictures of panels. A gap is absence: lane background, hatch of its
// class, frame; 1 to 3 pixels wide ones are plain gap colour.

#include "widgets/timeline/paint_context.h"

namespace lacuna::ui {

// False: the mark is plain colour, too narrow for a hatch.
bool showsHatch(const GapMark& mark, double scale);
void paintGapMarks(QPainter& painter, const PaintContext& context);
// Labels of the marks: pin, letter, duration on a clear patch, as much of it as fits.
void paintGapLabels(QPainter& painter, const PaintContext& context);

} // namespace lacuna::ui
