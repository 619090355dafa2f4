#pragma once
// Which rows a figure shows and how high they are, so that its height is filled and what it is about is in
// it.

#include "widgets/figure/figure_painter.h"

namespace lacuna::ui {

struct FittedRows {
    RowLayout layout;
    double height = 0; // of the lanes area, logical pixels; ends with a whole row
    int leftOut = 0;   // lanes with events in the range that found no room
};

// room <= 0: as high as the rows need.
FittedRows fitRows(const FigureInput& input, double room);

} // namespace lacuna::ui
