#include "core/trace/strip_query.h"

#include <algorithm>
#include <span>

namespace lacuna {

namespace {

// First row of [first, last) whose column value is not below / is above t; both columns ascend in a strip.
std::uint32_t firstNotBelow(const Column<std::int64_t>& column, EventId first, EventId last, std::int64_t t) {
    return static_cast<std::uint32_t>(std::lower_bound(column.begin() + first.v, column.begin() + last.v, t) -
                                      column.begin());
}

std::uint32_t firstAbove(const Column<std::int64_t>& column, EventId first, EventId last, std::int64_t t) {
    return static_cast<std::uint32_t>(std::upper_bound(column.begin() + first.v, column.begin() + last.v, t) -
                                      column.begin());
}

// Busy time of all rows before `row`: prefix of its block plus at most 15 rows.
std::int64_t busyBefore(const Trace& trace, StripId strip, std::uint32_t row) {
    const Strip& s = trace.strip(strip);
    const std::uint32_t offset = row - s.first.v;
    const auto blocks = trace.busyBlocks(strip);
    const std::size_t block = std::min<std::size_t>(offset / 16, blocks.size() - 1);
    std::int64_t busy = blocks[block];
    const EventTable& e = trace.events();
    for (std::uint32_t r = s.first.v + static_cast<std::uint32_t>(block) * 16; r < row; ++r)
        busy += e.endNs[r] - e.beginNs[r];
    return busy;
}

} // namespace

std::pair<EventId, EventId> eventsTouching(const Trace& trace, StripId strip, TimeRange window) {
    const Strip& s = trace.strip(strip);
    const EventTable& e = trace.events();
    std::uint32_t first = firstAbove(e.endNs, s.first, s.last, window.begin.v);
    const std::uint32_t last = firstNotBelow(e.beginNs, s.first, s.last, window.end.v);
    if (window.isEmpty())
        return {{last}, {last}};
    // Rows of zero length at the window's begin end there too, but touch it.
    while (first > s.first.v && e.beginNs[first - 1] >= window.begin.v)
        --first;
    return {{std::min(first, last)}, {last}};
}

std::optional<EventId> eventAt(const Trace& trace, StripId strip, TimeNs t) {
    const Strip& s = trace.strip(strip);
    const EventTable& e = trace.events();
    const std::uint32_t after = firstAbove(e.beginNs, s.first, s.last, t.v);
    if (after == s.first.v)
        return std::nullopt;
    const std::uint32_t row = after - 1; // last that begins at or before t
    if (e.endNs[row] > t.v || e.beginNs[row] == t.v)
        return EventId{row};
    return std::nullopt;
}

DurationNs busyWithin(const Trace& trace, StripId strip, TimeRange window) {
    if (window.isEmpty())
        return {};
    const auto [first, last] = eventsTouching(trace, strip, window);
    if (first == last)
        return {};
    const EventTable& e = trace.events();
    std::int64_t busy = busyBefore(trace, strip, last.v) - busyBefore(trace, strip, first.v);
    busy -= std::max<std::int64_t>(0, window.begin.v - e.beginNs[first.v]);
    busy -= std::max<std::int64_t>(0, e.endNs[last.v - 1] - window.end.v);
    return {busy};
}

EventId longestAmong(const Trace& trace, StripId strip, EventId first, EventId last) {
    const EventTable& e = trace.events();
    const std::uint32_t base = trace.strip(strip).first.v;
    EventId best = first;
    const auto offer = [&](EventId candidate) {
        const auto longer = e.duration(candidate) <=> e.duration(best);
        if (longer > 0 || (longer == 0 && candidate < best))
            best = candidate;
    };
    // Rows up to a block edge, then the largest blocks that fit, then rows again.
    std::uint32_t row = first.v;
    while (row < last.v) {
        const std::uint32_t offset = row - base;
        unsigned level = 0;
        std::uint32_t size = 1;
        while (level < 7 && offset % (size * 16) == 0 && row + size * 16 <= last.v) {
            size *= 16;
            ++level;
        }
        offer(level == 0 ? EventId{row} : trace.longestBlocks(strip, level)[offset / size]);
        row += size;
    }
    return best;
}

std::optional<EventId> nextInStrip(const Trace& trace, EventId event) {
    const Strip& s = trace.strip(trace.stripOf(event));
    return event.v + 1 < s.last.v ? std::optional(EventId{event.v + 1}) : std::nullopt;
}

std::optional<EventId> previousInStrip(const Trace& trace, EventId event) {
    const Strip& s = trace.strip(trace.stripOf(event));
    return event.v > s.first.v ? std::optional(EventId{event.v - 1}) : std::nullopt;
}

// Order in a lane: (begin, strip); unique, since rows of one strip with equal begin keep their row order.
std::optional<EventId> nextInLane(const Trace& trace, EventId event) {
    const EventTable& e = trace.events();
    const StripId own = trace.stripOf(event);
    const std::int64_t t = e.beginNs[event.v];
    std::optional<EventId> best;
    const Lane& lane = trace.lane(trace.strip(own).lane);
    for (std::uint32_t k = lane.firstStrip.v; k < lane.firstStrip.v + lane.depth; ++k) {
        const Strip& s = trace.strip({k});
        const std::uint32_t row = k == own.v  ? event.v + 1
                                  : k > own.v ? firstNotBelow(e.beginNs, s.first, s.last, t)
                                              : firstAbove(e.beginNs, s.first, s.last, t);
        if (row < s.last.v && (!best || e.beginNs[row] < e.beginNs[best->v]))
            best = EventId{row};
    }
    return best;
}

std::optional<EventId> previousInLane(const Trace& trace, EventId event) {
    const EventTable& e = trace.events();
    const StripId own = trace.stripOf(event);
    const std::int64_t t = e.beginNs[event.v];
    std::optional<EventId> best;
    const Lane& lane = trace.lane(trace.strip(own).lane);
    for (std::uint32_t k = lane.firstStrip.v; k < lane.firstStrip.v + lane.depth; ++k) {
        const Strip& s = trace.strip({k});
        const std::uint32_t end = k == own.v  ? event.v
                                  : k < own.v ? firstAbove(e.beginNs, s.first, s.last, t)
                                              : firstNotBelow(e.beginNs, s.first, s.last, t);
        if (end > s.first.v && (!best || e.beginNs[end - 1] >= e.beginNs[best->v]))
            best = EventId{end - 1};
    }
    return best;
}

std::optional<EventId> parentOf(const Trace& trace, EventId event) {
    const EventTable& e = trace.events();
    const StripId own = trace.stripOf(event);
    const Lane& lane = trace.lane(trace.strip(own).lane);
    for (std::uint32_t k = own.v; k-- > lane.firstStrip.v;) {
        const Strip& s = trace.strip({k});
        const std::uint32_t after = firstAbove(e.beginNs, s.first, s.last, e.beginNs[event.v]);
        if (after > s.first.v && e.endNs[after - 1] >= e.endNs[event.v])
            return EventId{after - 1};
    }
    return std::nullopt;
}

std::optional<EventId> eventFromSource(const Trace& trace, std::uint64_t sourceBits, TimeNs begin) {
    const EventTable& e = trace.events();
    for (const Strip& strip : trace.strips()) {
        const auto rows = std::span(e.beginNs).subspan(strip.first.v, strip.size());
        const auto at = std::lower_bound(rows.begin(), rows.end(), begin.v);
        for (auto row = static_cast<std::uint32_t>(strip.first.v + (at - rows.begin()));
             row < strip.last.v && e.beginNs[row] == begin.v; ++row)
            if (e.source[row] == sourceBits)
                return EventId{row};
    }
    return std::nullopt;
}

} // namespace lacuna
