#pragma once
// The parts of a marked range's page that tell what its operators lead one to expect, what they launched, and
// how it compares with the reference.

#include "widgets/panels/inspector_pages.h"

namespace lacuna::ui {

// Without context.work: nothing.
void addRangeWork(InspectorPage& page, const PageContext& context, TimeRange range);

} // namespace lacuna::ui
