#pragma once
// The words of a figure: default title and subtitle, provenance lines.

#include "widgets/figure/figure_hidden.h"

#include <vector>

namespace lacuna::ui {

// As given, else the default; without what is hidden.
QString figureTitle(const FigureInput& input, const HiddenNames& hidden);
QString figureSubtitle(const FigureInput& input, const HiddenNames& hidden);
// The file's name, or "Trace" where the user's names are hidden.
QString shownFileName(const FigureInput& input);
// "4.500 – 8.900 ms of 29.14 ms since trace start"
QString shownTimeText(const FigureInput& input);
// File, hash, devices, versions; range of the whole, events, writer. Two lines, either may be empty.
std::vector<QString> provenanceLines(const FigureInput& input);

} // namespace lacuna::ui
