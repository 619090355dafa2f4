#pragma once
// Where --goto leads: "12.5ms", "12ms..15ms", "step:3", "gap:1".

#include "widgets/timeline/timeline_view_model.h"

#include <string>

namespace lacuna::ui {

// Moves the view of the open document. The message says why not, for the status bar; empty: done.
QString goTo(const std::string& target, TimelineViewModel& view);

} // namespace lacuna::ui
