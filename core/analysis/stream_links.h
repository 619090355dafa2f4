#pragma once
// Which device operation waited for which on another stream, as the file records it: cudaStreamWaitEvent with
// a marker that tells stream and event (rule D1 of analysis.md with markers). What only the order of the
// calls suggests is not among them.

#include "core/analysis/gap_index.h"

#include <vector>

namespace lacuna::gaps {

// What the waits before the submission of `op` and behind that of its predecessor on the stream waited for;
// in order of the waits. O(log n).
std::vector<EventId> waitedFor(const GapIndex& index, EventId op);
// The operations that were submitted next behind the waits for `op`. O(waits of the trace).
std::vector<EventId> waitingFor(const GapIndex& index, EventId op);

} // namespace lacuna::gaps
