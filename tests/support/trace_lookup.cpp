#include "tests/support/trace_lookup.h"

namespace lacuna::test {

std::vector<EventId> eventsNamed(const Trace& trace, std::string_view name) {
    std::vector<EventId> found;
    for (std::uint32_t row = 0; row < trace.events().size(); ++row)
        if (trace.nameOf({row}) == name)
            found.push_back({row});
    return found;
}

EventId eventNamed(const Trace& trace, std::string_view name) {
    const std::vector<EventId> found = eventsNamed(trace, name);
    return found.empty() ? EventId{} : found.front();
}

std::string laneTitleOf(const Trace& trace, EventId event) {
    return std::string(trace.strings().view(trace.lane(trace.laneOf(event)).title));
}

LaneKind laneKindOf(const Trace& trace, EventId event) {
    return trace.lane(trace.laneOf(event)).kind;
}

std::uint64_t rowsInLanes(const Trace& trace, LaneKind kind) {
    std::uint64_t rows = 0;
    for (const Strip& strip : trace.strips())
        if (trace.lane(strip.lane).kind == kind)
            rows += strip.size();
    return rows;
}

const CounterTrack* counterNamed(const Trace& trace, std::string_view name) {
    for (const CounterTrack& counter : trace.counters())
        if (counter.name == name)
            return &counter;
    return nullptr;
}

const Lane& laneOf(const Trace& trace, std::string_view name) {
    return trace.lane(trace.laneOf(eventNamed(trace, name)));
}

std::string rangeOf(const Trace& trace, std::string_view name) {
    const EventId row = eventNamed(trace, name);
    if (!row)
        return "none";
    return std::to_string(trace.events().beginNs[row.v]) + ".." + std::to_string(trace.events().endNs[row.v]);
}

std::string rowText(const Trace& trace, EventId event) {
    return std::to_string(trace.events().beginNs[event.v]) + ".." +
           std::to_string(trace.events().endNs[event.v]) + " " +
           std::string(kindName(trace.events().kind[event.v]));
}

} // namespace lacuna::test
