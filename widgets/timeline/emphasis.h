#pragma once
// What a selection brings forward: the chain of a gap keeps its colour, all else is dimmed to 45 %; the
// blocking call, the gap and the next launch are outlined together.

#include "core/analysis/gap_analysis.h"
#include "core/view/selection.h"

#include <optional>
#include <vector>

namespace lacuna::ui {

struct GapPin {
    GapId gap;
    int number = 0; // 1 = worst group
};

struct Emphasis {
    bool dims = false;             // everything not in `kept` is dimmed
    std::vector<EventId> kept;     // sorted
    std::vector<EventId> outlined; // sorted
    GapId gap;                     // outlined gap; none
    EventId drainedBy;             // of that gap: drawn as a waiting call whatever its name; none
    std::optional<TimeRange> time; // selected time, tinted through all lanes
    bool timeIsGap = false;        // tint in the gap colour, else in the selection colour

    bool keeps(EventId event) const;
};

Emphasis emphasisOf(const Trace& trace, const GapAnalysis* gaps, const Selection& selection);
// The worst member of each of the top three groups.
std::vector<GapPin> topPins(const GapAnalysis& gaps);

} // namespace lacuna::ui
