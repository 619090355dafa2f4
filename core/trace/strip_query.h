#pragma once
// Questions to a strip, all O(log n), tested against a linear oracle. "Touching" a window means sharing at
// least one ns with it; a row of zero length touches a window that contains its begin.

#include "core/trace/trace.h"

#include <optional>
#include <utility>

namespace lacuna {

// [first, second): the rows that touch the window.
std::pair<EventId, EventId> eventsTouching(const Trace& trace, StripId strip, TimeRange window);
// The row that covers t; of a zero-length row and a later one at t: the one that covers [t, t+1).
std::optional<EventId> eventAt(const Trace& trace, StripId strip, TimeNs t);
// Time of the window that rows of the strip cover, exact.
DurationNs busyWithin(const Trace& trace, StripId strip, TimeRange window);
// The row with the longest duration among [first, last), ties: the first. first < last.
EventId longestAmong(const Trace& trace, StripId strip, EventId first, EventId last);
// Neighbours in the same strip, in time.
std::optional<EventId> nextInStrip(const Trace& trace, EventId event);
std::optional<EventId> previousInStrip(const Trace& trace, EventId event);
// Next / previous row of the whole lane by begin (all depths).
std::optional<EventId> nextInLane(const Trace& trace, EventId event);
std::optional<EventId> previousInLane(const Trace& trace, EventId event);
// The row one or more strips above, in the same lane, that contains the event.
std::optional<EventId> parentOf(const Trace& trace, EventId event);
// The row that was made of a place in the file and begins at a time: the same row in another trace of the
// same file, a snapshot and the whole. O(strips log n).
std::optional<EventId> eventFromSource(const Trace& trace, std::uint64_t sourceBits, TimeNs begin);

} // namespace lacuna
