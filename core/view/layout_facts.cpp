#include "core/view/row_layout.h"

#include <queue>

#include <algorithm>
#include <functional>

namespace lacuna {

namespace {

// Length of the union of all rows of some strips: rows of a strip are sorted, so a merge by begin suffices.
std::int64_t unionOf(const Trace& trace, const std::vector<Strip>& strips) {
    const EventTable& e = trace.events();
    using Head = std::pair<std::int64_t, std::size_t>; // begin of the next row, strip
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
    std::vector<std::uint32_t> next;
    for (const Strip& s : strips) {
        heads.emplace(e.beginNs[s.first.v], next.size());
        next.push_back(s.first.v);
    }
    std::int64_t covered = 0, until = INT64_MIN;
    while (!heads.empty()) {
        const std::size_t k = heads.top().second;
        heads.pop();
        // Rows of this strip up to where another strip has the next begin.
        const std::int64_t limit = heads.empty() ? INT64_MAX : heads.top().first;
        std::uint32_t row = next[k];
        for (; row < strips[k].last.v && e.beginNs[row] <= limit; ++row) {
            const std::int64_t begin = std::max(until, e.beginNs[row]);
            covered += std::max<std::int64_t>(0, e.endNs[row] - begin);
            until = std::max(until, e.endNs[row]);
        }
        next[k] = row;
        if (row < strips[k].last.v)
            heads.emplace(e.beginNs[row], k);
    }
    return covered;
}

void addDevices(const Trace& trace, LayoutFacts& facts) {
    std::vector<std::vector<Strip>> strips(trace.devices().size());
    const EventTable& e = trace.events();
    for (const Strip& s : trace.strips()) {
        const Lane& lane = trace.lane(s.lane);
        if (lane.kind != LaneKind::GpuStream || !lane.device)
            continue;
        TimeRange& window = facts.deviceWindow[lane.device.v];
        const TimeRange span{{e.beginNs[s.first.v]}, {e.endNs[s.last.v - 1]}};
        const bool first = strips[lane.device.v].empty();
        window.begin = first ? span.begin : std::min(window.begin, span.begin);
        window.end = first ? span.end : std::max(window.end, span.end);
        strips[lane.device.v].push_back(s);
    }
    for (std::size_t d = 0; d < strips.size(); ++d)
        facts.deviceBusy[d] = unionOf(trace, strips[d]);
}

} // namespace

LayoutFacts LayoutFacts::of(const Trace& trace) {
    LayoutFacts facts;
    facts.launches.assign(trace.threads().size(), 0);
    facts.kinds.assign(trace.lanes().size(), 0);
    facts.laneBusy.assign(trace.lanes().size(), 0);
    facts.deviceBusy.assign(trace.devices().size(), 0);
    facts.deviceWindow.assign(trace.devices().size(), {});
    const EventTable& e = trace.events();
    const CorrelationIndex& correlations = trace.correlations();
    for (const Strip& s : trace.strips()) {
        std::uint32_t kinds = 0;
        std::int64_t busy = 0;
        for (std::uint32_t row = s.first.v; row < s.last.v; ++row) {
            kinds |= 1u << static_cast<unsigned>(e.kind[row]);
            busy += e.endNs[row] - e.beginNs[row];
        }
        facts.kinds[s.lane.v] |= kinds;
        facts.laneBusy[s.lane.v] += busy;
        const Lane& lane = trace.lane(s.lane);
        if (lane.kind != LaneKind::CudaApi || !lane.thread)
            continue;
        for (std::uint32_t row = s.first.v; row < s.last.v; ++row)
            facts.launches[lane.thread.v] +=
                e.correlation[row] != 0 && !correlations.deviceOps(e.correlation[row]).empty();
    }
    addDevices(trace, facts);
    for (const CounterTrack& track : trace.counters()) {
        const auto [low, high] = std::ranges::minmax_element(track.value);
        facts.counterRange.emplace_back(low == track.value.end() ? 0.0 : *low,
                                        high == track.value.end() ? 0.0 : *high);
    }
    return facts;
}

} // namespace lacuna
