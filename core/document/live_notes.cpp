#include "core/document/live_notes.h"

#include "core/base/text_format.h"
#include "core/trace/strip_query.h"
#include "core/view/row_layout.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lacuna {

std::optional<GapId> gapOfNote(const Trace& trace, const GapAnalysis& gaps, const Callout& note) {
    if (!note.end)
        return std::nullopt;
    const LaneId lane = laneOfKey(trace, note.laneKey);
    const DeviceId device = lane ? trace.lane(lane).device : DeviceId{};
    const auto all = gaps.gaps();
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (all[i].range.begin == note.time && all[i].range.end == *note.end &&
            (!device || all[i].device == device))
            return GapId{i};
    return std::nullopt;
}

EventId eventOfNote(const Trace& trace, const Callout& note) {
    const LaneId lane = laneOfKey(trace, note.laneKey);
    if (!lane || note.strip >= trace.lane(lane).depth)
        return {};
    const TimeRange wanted{note.time, note.end.value_or(note.time)};
    const auto [first, last] =
        eventsTouching(trace, {trace.lane(lane).firstStrip.v + note.strip},
                       {wanted.begin, std::max(wanted.end, wanted.begin + DurationNs{1})});
    for (EventId e = first; e < last; ++e.v)
        if (const TimeRange range = trace.events().range(e);
            range.begin == wanted.begin && range.end == wanted.end)
            return e;
    return {};
}

std::string liveTitle(const Gap& gap) {
    return "The gap, " + formatDuration(gap.length());
}

bool renewLiveNotes(AnnotationSet& notes, const Trace& trace, const GapAnalysis& gaps) {
    std::vector<Callout> changed;
    for (const Callout& note : notes.callouts()) {
        const auto gap = note.isLive ? gapOfNote(trace, gaps, note) : std::nullopt;
        if (!gap)
            continue;
        Callout renewed = note;
        renewed.title = liveTitle(gaps.gap(*gap));
        renewed.text = gaps.explain(gaps.gap(*gap)).verdict;
        if (!(renewed == note))
            changed.push_back(std::move(renewed));
    }
    for (Callout& note : changed)
        notes.apply(AnnotationEdit::replace(std::move(note)));
    return !changed.empty();
}

} // namespace lacuna
