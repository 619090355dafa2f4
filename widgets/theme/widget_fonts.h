#pragma once
// The bundled faces as fonts of widgets.

#include "widgets/figure/figure_fonts.h"

namespace lacuna::ui {

// A size in logical pixels, halves included (QFont itself takes whole ones only). Needs a QGuiApplication,
// and FigureFonts::load() once before.
QFont uiFont(Face face, double pixelSize);

} // namespace lacuna::ui
