#include "core/analysis/stream_links.h"

#include "core/trace/strip_query.h"

#include <algorithm>

namespace lacuna::gaps {

namespace {

void addOnce(std::vector<EventId>& events, EventId event) {
    if (event && std::find(events.begin(), events.end(), event) == events.end())
        events.push_back(event);
}

} // namespace

std::vector<EventId> waitedFor(const GapIndex& index, EventId op) {
    std::vector<EventId> sources;
    const EventId launch = index.hasStreamWaits() ? index.launchOf(op) : EventId{};
    if (!launch)
        return sources;
    const Trace& trace = index.trace();
    const Lane& lane = trace.lane(trace.laneOf(op));
    const auto& beginNs = index.events().beginNs;
    const auto earlier = previousInLane(trace, op);
    const EventId call = earlier ? index.launchOf(*earlier) : EventId{};
    const std::int64_t after = call ? beginNs[call.v] + 1 : INT64_MIN;
    for (const StreamWait& wait : index.streamWaits(lane.device, lane.sourceId, after, beginNs[launch.v]))
        addOnce(sources, wait.source);
    return sources;
}

std::vector<EventId> waitingFor(const GapIndex& index, EventId op) {
    std::vector<EventId> waiting;
    for (const StreamWait& wait : index.streamWaits())
        if (wait.source == op && wait.lane)
            addOnce(waiting, index.nextSubmitted(wait.lane, wait.callBegin));
    return waiting;
}

} // namespace lacuna::gaps
