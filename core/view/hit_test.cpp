#include "core/view/hit_test.h"

#include "core/trace/strip_query.h"
#include "core/view/gap_marks.h"
#include "core/view/strip_metrics.h"

#include <algorithm>
#include <cmath>

namespace lacuna {

namespace {

// What the column shows: the only event that touches it, or the longest of several.
std::optional<EventId> eventAtColumn(const Trace& trace, StripId strip, const PixelGrid& grid, int x) {
    const auto [first, last] = eventsTouching(trace, strip, grid.columnRange(x));
    if (first == last)
        return std::nullopt;
    return longestAmong(trace, strip, first, last);
}

// The nearest event narrower than the slack, at most that many columns away; the later one of two as near.
std::optional<EventId> narrowEventNear(const Trace& trace, StripId strip, const PixelGrid& grid, int x,
                                       double slackPx) {
    const int reach = static_cast<int>(std::floor(slackPx));
    for (int d = 1; d <= reach; ++d)
        for (const int at : {x + d, x - d}) {
            if (at < 0 || at >= grid.width())
                continue;
            const auto event = eventAtColumn(trace, strip, grid, at);
            if (!event)
                continue;
            const TimeRange range = trace.events().range(*event);
            const int left = grid.columnOf(range.begin.v);
            const int right = std::max(left + 1, grid.columnAfter(range.end.v));
            if (right - left <= reach)
                return event;
        }
    return std::nullopt;
}

} // namespace

Selection hitTest(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                  const HitInput& input, int x, int y) {
    const auto contentY = static_cast<std::int32_t>(std::floor((y + input.scrollPx + 0.5) / input.scale));
    const auto index = layout.rowAt(contentY);
    if (!index || layout.rows()[*index].kind != RowKind::Lane)
        return {};
    const TimelineRow& row = layout.rows()[*index];
    const PixelGrid grid(snapped(devicePx));
    if (x < 0 || x >= grid.width())
        return row.lane;
    const Lane& lane = trace.lane(row.lane);
    const StripMetrics metrics(row, input.scale, input.scrollPx);
    const auto visible = metrics.stripAt(y);
    if (!visible)
        return row.lane;
    const StripId strip{lane.firstStrip.v + row.firstStrip + *visible};
    if (const auto event = eventAtColumn(trace, strip, grid, x))
        return *event;
    if (const auto event = narrowEventNear(trace, strip, grid, x, input.slackPx))
        return *event;
    if (lane.kind == LaneKind::GpuStream && lane.device && input.gaps != nullptr)
        if (const auto gap =
                gapAtColumn(input.gaps->gapsOf(lane.device), input.gaps->firstGapOf(lane.device), grid, x))
            return *gap;
    return row.lane;
}

} // namespace lacuna
