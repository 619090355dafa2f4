#pragma once
// What times count from, in the language of the window; figures use axisTitle() of the core.

#include "core/view/time_axis.h"

#include <QString>

namespace lacuna::ui {

QString axisText(const TimeAxis& axis); // "since trace start", "since the start of step 61", ...

} // namespace lacuna::ui
