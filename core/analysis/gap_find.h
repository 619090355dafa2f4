#pragma once
// Gaps of a set of operations and their three cuts: exact, no heuristics (analysis.md sections 4.1 and 4.2).

#include "core/analysis/gap_index.h"

namespace lacuna::gaps {

// Maximal intervals between the first start and the last end of `ops` (by begin, file order) in which none of
// them runs. Fills range, device, stream, previous, next, launch, thread, the cuts and the flags of rules C
// and G. O(n).
Column<Gap> findGaps(const Trace& trace, std::span<const EventId> ops, DeviceId device, LaneId stream,
                     JobControl& job);

// All operations of the device (or of the stream alone, where one is given) that ended at `time`, in file
// order. O(strips log n).
std::vector<EventId> endedAt(const GapIndex& index, DeviceId device, LaneId stream, TimeNs time);

// Rule S: the waiting call that let the queue run dry (drainedBy), the time that its chain held the thread
// (lostRunAheadNs) and the sync part.
void findDrain(const GapIndex& index, Gap& gap);

} // namespace lacuna::gaps
