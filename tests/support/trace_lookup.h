#pragma once
// Finding rows of a trace by what a test knows about them.

#include "core/trace/trace.h"

#include <string>
#include <string_view>
#include <vector>

namespace lacuna::test {

std::vector<EventId> eventsNamed(const Trace& trace, std::string_view name);
// The first row of that name; none (an id that is false) when there is none.
EventId eventNamed(const Trace& trace, std::string_view name);
std::string laneTitleOf(const Trace& trace, EventId event);
LaneKind laneKindOf(const Trace& trace, EventId event);
// Rows in all lanes of a kind.
std::uint64_t rowsInLanes(const Trace& trace, LaneKind kind);
// The counter of that name; null when there is none.
const CounterTrack* counterNamed(const Trace& trace, std::string_view name);
// Lane of the first row of that name, which must be there.
const Lane& laneOf(const Trace& trace, std::string_view name);
// "100..250": begin and end of the first row of that name; "none" when there is none.
std::string rangeOf(const Trace& trace, std::string_view name);
// "100..250 kernel": begin, end and kind.
std::string rowText(const Trace& trace, EventId event);

} // namespace lacuna::test
