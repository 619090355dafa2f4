#include "widgets/figure/figure_view.h"

#include <algorithm>

namespace lacuna::ui {

namespace {

// Room around what the view is about, a third of its length on either side, inside the trace.
TimeRange withContext(TimeRange range, TimeRange whole) {
    const std::int64_t margin = std::max<std::int64_t>(range.length().v / 3, 1);
    const TimeRange wide{range.begin - DurationNs{margin}, range.end + DurationNs{margin}};
    const TimeRange cut = intersection(wide, whole);
    return cut.isEmpty() ? wide : cut;
}

} // namespace

TimeRange viewOfGap(const Trace& trace, const Gap& gap) {
    TimeRange range = gap.range;
    const std::int64_t reach = 2 * range.length().v;
    for (const EventId event : {gap.blockingCall(), gap.launch})
        if (event)
            range.begin = std::min(range.begin, std::max(trace.events().range(event).begin,
                                                         gap.range.begin - DurationNs{reach}));
    return withContext(range, trace.window());
}

} // namespace lacuna::ui
