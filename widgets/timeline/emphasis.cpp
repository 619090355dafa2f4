#include "widgets/timeline/emphasis.h"

#include "core/trace/strip_query.h"

#include <algorithm>

namespace lacuna::ui {

namespace {

void sortUnique(std::vector<EventId>& events) {
    std::erase_if(events, [](EventId e) { return !e; });
    std::sort(events.begin(), events.end());
    events.erase(std::unique(events.begin(), events.end()), events.end());
}

// The call and the operators around it.
void keepCall(const Trace& trace, const HostPlace& place, std::vector<EventId>& kept) {
    kept.push_back(place.event);
    for (std::optional<EventId> op = place.operatorEvent; op && *op; op = parentOf(trace, *op))
        kept.push_back(*op);
}

// Its innermost range and its Python frame: what the user wrote.
void keepSurroundings(const HostPlace& place, std::vector<EventId>& kept) {
    kept.push_back(place.pythonFrame);
    if (!place.ranges.empty())
        kept.push_back(place.ranges.back());
}

void emphasiseGap(const Trace& trace, const GapAnalysis& gaps, GapId id, Emphasis& out) {
    const Gap& gap = gaps.gap(id);
    const GapStory story = gaps.explain(gap);
    out.dims = true;
    out.gap = id;
    out.drainedBy = gap.drainedBy;
    out.time = gap.range;
    out.timeIsGap = true;
    out.kept = {gap.previous, gap.next, gap.launch, gap.drainedBy, gap.heldBy, gap.blockingCall()};
    for (const HostPlace* place : {&story.blocking, &story.drainedBy, &story.heldBy, &story.launch})
        if (place->event)
            keepCall(trace, *place, out.kept);
    keepSurroundings(story.heldBy.event ? story.heldBy : story.blocking, out.kept);
    out.outlined = {gap.blockingCall(), gap.launch};
}

} // namespace

bool Emphasis::keeps(EventId event) const {
    return !dims || std::binary_search(kept.begin(), kept.end(), event);
}

Emphasis emphasisOf(const Trace& trace, const GapAnalysis* gaps, const Selection& selection) {
    Emphasis out;
    if (const auto* event = std::get_if<EventId>(&selection)) {
        out.outlined = {*event};
    } else if (const auto* gap = std::get_if<GapId>(&selection)) {
        if (gaps != nullptr && gap->v < gaps->gaps().size())
            emphasiseGap(trace, *gaps, *gap, out);
    } else if (const auto* range = std::get_if<TimeRange>(&selection)) {
        out.time = *range;
    }
    sortUnique(out.kept);
    sortUnique(out.outlined);
    return out;
}

std::vector<GapPin> topPins(const GapAnalysis& gaps) {
    constexpr std::size_t kPins = 3;
    std::vector<GapPin> pins;
    for (const GapGroup& group : gaps.groups()) {
        if (pins.size() == kPins || group.members.empty() || classOf(group.cause) == GapClass::Startup)
            break;
        pins.push_back({group.members.front(), static_cast<int>(pins.size()) + 1});
    }
    return pins;
}

} // namespace lacuna::ui
