#pragma once
// Which time a figure about something shows.

#include "core/analysis/gap_analysis.h"

namespace lacuna::ui {

// From the blocking call's begin to a little after the gap, so that cause and effect are in one picture; a
// call much longer than the gap shows its end only.
TimeRange viewOfGap(const Trace& trace, const Gap& gap);

} // namespace lacuna::ui
