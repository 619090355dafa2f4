#pragma once
// Colours for any number of groups (names, families, streams, ranges) and for steps of duration. They are
// computed in OKLCH (B. Ottosson, 2020): equal lightness and chroma, so that no group shouts, at a lightness
// that keeps every fill 3 : 1 from the ground of its theme (7 : 1 in high contrast) and its text 4.5 : 1 from
// it.

#include "core/view/event_look.h"
#include "widgets/theme/theme_palette.h"

namespace lacuna::ui {

inline constexpr int kGroupHues = 24;  // 15 degrees apart
inline constexpr int kGroupShades = 2; // of lightness
QRgb groupColour(int hue, int shade, Theme theme);
// A group keeps its colour from trace to trace. Steps go from blue (short) to red (long).
QRgb groupColour(const EventGroup& group, Theme theme);
// The darker or the lighter ink, whichever reads better on a fill.
QRgb textOn(QRgb fill);

} // namespace lacuna::ui
