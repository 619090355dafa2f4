#pragma once
// Findings as cards of an inspector page: title, what it suggests, supports, argues against, and how to test
// it. A sentence with evidence is a button that opens it in the timeline.

#include "widgets/panels/inspector_pages.h"
#include "widgets/session/findings_job.h"

namespace lacuna::ui {

// The six look-fors in their order, clean ones greyed with a tick, then the others.
void addFindingCards(InspectorPage& page, const PageContext& context, const FoundFindings& found);

} // namespace lacuna::ui
