#include "core/document/live_notes.h"

#include "core/base/text_format.h"
#include "core/view/row_layout.h"

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
