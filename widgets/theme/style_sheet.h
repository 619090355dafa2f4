#pragma once
// The look of the standard widgets: flat, one border colour, radius 3 on fields and buttons (mock/README.md).

#include "widgets/theme/theme_palette.h"

#include <QString>

namespace lacuna::ui {

// For QApplication::setStyleSheet, over the Fusion style and palette.widgetPalette().
QString styleSheet(const ThemePalette& palette);

} // namespace lacuna::ui
