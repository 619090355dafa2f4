#pragma once
// The words of a figure: default title and subtitle, provenance lines.

#include "widgets/figure/figure_painter.h"

#include <vector>

namespace lacuna::ui {

// "4.500 – 8.900 ms of 29.14 ms since trace start"
QString shownTimeText(const FigureInput& input);
// File, hash, devices, versions; range of the whole, events, writer. Two lines, either may be empty.
std::vector<QString> provenanceLines(const FigureInput& input);

} // namespace lacuna::ui
