#pragma once
// Axes that the small plots of panels share: a time axis below, numbers of a grid at the left.

#include "core/base/text_format.h"
#include "widgets/plot/linear_axis.h"
#include "widgets/plot/scene_pen.h"

#include <QString>

namespace lacuna::ui {

inline constexpr double kPlotLeft = 34, kPlotBottom = 20, kPlotTop = 12; // room of the axes, px

double nsPerUnit(TimeUnit unit);
// As many digits as the step needs.
QString axisNumber(double value, double step);
// Below the plot, the foot of which is at y; the last label has the unit.
void timeAxis(ScenePen& pen, const LinearAxis& axis, const QString& unit, double y);
// Horizontal lines of the grid with their numbers at the left.
void valueAxis(ScenePen& pen, const LinearAxis& axis, double spacing);
// The same for counts: only whole numbers.
void countAxis(ScenePen& pen, const LinearAxis& axis, double spacing);

} // namespace lacuna::ui
