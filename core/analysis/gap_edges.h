#pragma once
// Rule E: what lies before the first and after the last operation of a device. Edges are accounted apart from
// idle time; they can be asked what the submitting thread did.

#include "core/analysis/gap_index.h"

namespace lacuna::gaps {

// The parts of the window outside the device's span, with cause EDGE_START or EDGE_END; empty ones left out.
std::vector<Gap> findEdges(const GapIndex& index, DeviceId device, TimeRange window);
bool isEdge(const Gap& gap);
GapStory tellEdge(const GapIndex& index, const Gap& edge);

} // namespace lacuna::gaps
