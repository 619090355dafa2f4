#pragma once
// The bundled faces as fonts of widgets.

#include "widgets/figure/figure_fonts.h"

namespace lacuna::ui {

// A size in logical pixels, halves included (QFont itself takes whole ones only). Needs a QGuiApplication,
// and FigureFonts::load() once before.
QFont uiFont(Face face, double pixelSize);

// Loads what the first picture of a trace needs, a tenth of its time otherwise. Cheap when it was loaded
// before.
void warmFonts();

} // namespace lacuna::ui
