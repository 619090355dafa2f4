#include "core/view/arrows.h"

#include "core/analysis/stream_links.h"
#include "core/trace/strip_query.h"
#include "core/view/strip_metrics.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace lacuna {

namespace {

struct ArrowBox { // of an event, device px of the frame
    std::int32_t x0 = 0, x1 = 0, top = 0, bottom = 0;
};

// What an arrow tells, before anybody knows where it is drawn.
struct ArrowLink {
    enum class Path : std::uint8_t {
        Start,      // from near the start of one row to the start of the other
        Down,       // straight to the start of the other
        EndToStart, // what ended let the other begin
        EndToEnd    // what ended let the other return
    };
    EventId from, to;
    ArrowStyle style = ArrowStyle::Ownership;
    Path path = Path::Start;
    std::uint32_t count = 1;
};

// Calls of the operator's thread that lie in it and have device work, by their begin; of more than `most`
// any.
std::vector<EventId> launchesUnder(const Trace& trace, EventId op, std::size_t most = SIZE_MAX) {
    std::vector<EventId> calls;
    const Lane& own = trace.lane(trace.laneOf(op));
    const TimeRange range = trace.events().range(op);
    for (std::uint32_t k = 0; k < trace.lanes().size(); ++k) {
        const Lane& lane = trace.lane({k});
        if (lane.kind != LaneKind::CudaApi || lane.thread != own.thread)
            continue;
        for (std::uint32_t s = lane.firstStrip.v; s < lane.firstStrip.v + lane.depth; ++s) {
            const auto [first, last] = eventsTouching(trace, {s}, range);
            for (EventId call = first; call < last && calls.size() < most; ++call.v) {
                const std::uint32_t group = trace.events().correlation[call.v];
                if (trace.events().beginNs[call.v] >= range.begin.v && group != 0 &&
                    !trace.correlations().deviceOps(group).empty())
                    calls.push_back(call);
            }
        }
    }
    std::ranges::sort(calls, {}, [&](EventId e) { return trace.events().beginNs[e.v]; });
    return calls;
}

// The innermost operator of its thread that a call lies in; none.
EventId operatorAround(const Trace& trace, EventId call) {
    const Lane& own = trace.lane(trace.laneOf(call));
    const TimeRange range = trace.events().range(call);
    EventId around;
    for (std::uint32_t k = 0; k < trace.lanes().size(); ++k) {
        const Lane& lane = trace.lane({k});
        if (lane.kind != LaneKind::CpuThread || lane.thread != own.thread)
            continue;
        for (std::uint32_t s = lane.firstStrip.v; s < lane.firstStrip.v + lane.depth; ++s) { // inwards
            const auto at = eventAt(trace, {s}, range.begin);
            if (at && trace.events().kind[at->v] == EventKind::CpuOp &&
                trace.events().range(*at).end >= range.end)
                around = *at;
        }
    }
    return around;
}

// Which arrows there are, breadth first from what is selected.
class ArrowFinder {
public:
    ArrowFinder(const Trace& trace, const ArrowInput& input) : m_trace(trace), m_input(input) {}

    void ofEvent(EventId event) {
        m_reached.insert(event);
        hop(event);
        furtherHops(event);
    }

    void ofGap(const Gap& gap) {
        if (gap.previous && gap.drainedBy)
            add({gap.previous, gap.drainedBy, ArrowStyle::Dependency, ArrowLink::Path::EndToEnd});
        if (gap.launch && gap.next)
            add({gap.launch, gap.next});
        if (const EventId source = m_input.gaps->waitedFor(gap))
            addWait(source, gap.next);
        furtherHops();
    }

    // Of the work that begins in the range, the first by time.
    void ofRange(TimeRange range) {
        std::vector<EventId> work;
        const auto begin = [this](EventId e) { return m_trace.events().beginNs[e.v]; };
        for (std::uint32_t k = 0; k < m_trace.lanes().size(); ++k) {
            const Lane& lane = m_trace.lane({k});
            if (lane.kind != LaneKind::GpuStream)
                continue;
            for (std::uint32_t s = lane.firstStrip.v; s < lane.firstStrip.v + lane.depth; ++s) {
                auto [first, last] = eventsTouching(m_trace, {s}, range);
                if (first < last && begin(first) < range.begin.v)
                    ++first.v;
                for (std::size_t n = 0; first < last && n < kMostArrows; ++first.v, ++n)
                    work.push_back(first);
            }
        }
        std::ranges::sort(work, {}, begin);
        for (const EventId op : work)
            if (const auto launch = m_trace.correlations().launchOf(m_trace.events(), op))
                add({*launch, op});
    }

    const std::vector<ArrowLink>& links() const { return m_links; }

private:
    void add(const ArrowLink& link) {
        if (m_links.size() < kMostArrows && m_known.insert({link.from, link.to}).second)
            m_links.push_back(link);
    }

    // From every end that was reached last; a fan's trunk leads to no single one. The operator around a call
    // is a hop of its own: it encloses the call and is seen anyway.
    void furtherHops(EventId selected = {}) {
        std::size_t seen = 0;
        for (std::uint32_t n = 1; n < std::min(m_input.options.hops, kMostHops); ++n) {
            const std::size_t end = m_links.size();
            for (; seen < end; ++seen) {
                const ArrowLink link = m_links[seen];
                for (const EventId event : {link.from, link.to}) {
                    if (link.count > 1 || !m_reached.insert(event).second)
                        continue;
                    hop(event);
                    aroundCall(event);
                }
            }
            if (n == 1 && selected)
                aroundCall(selected);
        }
    }

    void aroundCall(EventId event) {
        const std::uint32_t group = m_trace.events().correlation[event.v];
        if (!isHostCall(m_trace.events().kind[event.v]) || group == 0)
            return;
        if (const EventId op = operatorAround(m_trace, event))
            add({op, event, ArrowStyle::Ownership, ArrowLink::Path::Down});
    }

    void hop(EventId event) {
        const EventKind kind = m_trace.events().kind[event.v];
        const std::uint32_t group = m_trace.events().correlation[event.v];
        const CorrelationIndex& correlations = m_trace.correlations();
        if (isHostCall(kind) && group != 0) {
            fan(event, correlations.deviceOps(group));
        } else if (isDeviceOp(kind) && group != 0) {
            if (const auto launch = correlations.launchOf(m_trace.events(), event))
                add({*launch, event});
            ofStreams(event);
        } else if (kind == EventKind::Sync && group != 0) { // the wait and the call that made it
            const auto calls = correlations.hostCalls(group);
            if (!calls.empty())
                add({event, calls[0], ArrowStyle::Dependency, ArrowLink::Path::EndToEnd});
        } else if (kind == EventKind::CpuOp) {
            ofOperator(event);
        }
        recorded(event);
    }

    void addWait(EventId source, EventId waiting) {
        add({source, waiting, ArrowStyle::Dependency, ArrowLink::Path::EndToStart});
    }

    // Between streams.
    void ofStreams(EventId op) {
        if (m_input.gaps == nullptr)
            return;
        for (const EventId source : gaps::waitedFor(*m_input.gaps->index(), op))
            addWait(source, op);
        for (const EventId waiting : gaps::waitingFor(*m_input.gaps->index(), op))
            addWait(op, waiting);
    }

    bool isFan(std::size_t arrows) const { return arrows > kFanLimit && !m_input.options.opensFans; }

    void fan(EventId from, std::span<const EventId> ops) {
        if (isFan(ops.size())) {
            add({from, ops[0], ArrowStyle::Ownership, ArrowLink::Path::Start,
                 static_cast<std::uint32_t>(ops.size())});
            return;
        }
        for (const EventId op : ops.first(std::min(ops.size(), kMostArrows)))
            add({from, op});
    }

    // Operator -> the launch calls under it on its thread -> their work.
    void ofOperator(EventId op) {
        const std::vector<EventId> calls = launchesUnder(m_trace, op);
        std::size_t work = 0;
        EventId first;
        for (const EventId call : calls) {
            const auto ops = m_trace.correlations().deviceOps(m_trace.events().correlation[call.v]);
            first = first ? first : ops[0];
            work += ops.size();
        }
        if (isFan(work)) {
            add({op, first, ArrowStyle::Ownership, ArrowLink::Path::Start, static_cast<std::uint32_t>(work)});
            return;
        }
        for (const EventId call : calls) {
            if (m_links.size() >= kMostArrows)
                return;
            add({op, call, ArrowStyle::Ownership, ArrowLink::Path::Down});
            fan(call, m_trace.correlations().deviceOps(m_trace.events().correlation[call.v]));
        }
    }

    // Arrows that the file records, both ways.
    void recorded(EventId event) {
        const FlowIndex& flows = m_trace.flows();
        const auto outgoing = flows.outgoing(event);
        for (const FlowLink& link : outgoing.first(shown(outgoing.size())))
            add(flowLink(link, outgoing.size()));
        const auto incoming = flows.incoming(event);
        for (const std::uint32_t link : incoming.first(shown(incoming.size())))
            add(flowLink(flows.links()[link], incoming.size()));
    }

    std::size_t shown(std::size_t arrows) const { return isFan(arrows) ? 1 : std::min(arrows, kMostArrows); }

    ArrowLink flowLink(const FlowLink& link, std::size_t arrows) const {
        const std::string_view name = m_trace.strings().view(link.name);
        const bool isOwnership =
            isDeviceOp(m_trace.events().kind[link.to.v]) || name == "fwdbwd" || name == "fwd_bwd";
        return {link.from, link.to, isOwnership ? ArrowStyle::Ownership : ArrowStyle::Dependency,
                ArrowLink::Path::Start, isFan(arrows) ? static_cast<std::uint32_t>(arrows) : 1};
    }

    const Trace& m_trace;
    const ArrowInput& m_input;
    std::vector<ArrowLink> m_links;
    std::set<std::pair<EventId, EventId>> m_known; // of m_links
    std::set<EventId> m_reached;
};

// Where they are drawn.
class ArrowPlacer {
public:
    ArrowPlacer(const Trace& trace, const RowLayout& layout, const Viewport& view, const ArrowInput& input)
        : m_trace(trace), m_layout(layout), m_view(view), m_input(input) {}

    Arrow place(const ArrowLink& link) const {
        const ArrowBox a = boxOf(link.from), b = boxOf(link.to);
        Arrow arrow;
        arrow.from = link.from;
        arrow.to = link.to;
        arrow.style = link.style;
        arrow.count = link.count;
        const bool down = b.top >= a.bottom;
        arrow.x0 = tailX(a);
        arrow.y0 = down ? a.bottom : a.top;
        arrow.x1 = b.x0;
        arrow.y1 = down ? b.top : b.bottom;
        if (link.path == ArrowLink::Path::EndToEnd || link.path == ArrowLink::Path::EndToStart) {
            arrow.x0 = a.x1;
            if (link.path == ArrowLink::Path::EndToEnd)
                arrow.x1 = b.x1;
        } else {
            arrow.skewed = m_trace.events().beginNs[link.to.v] < m_trace.events().beginNs[link.from.v];
        }
        arrow.toOutside = isOutside(arrow.x1, arrow.y1);
        if (link.path == ArrowLink::Path::Down)
            arrow.x0 = arrow.x1 = tailX(b);
        arrow.fromOutside = isOutside(arrow.x0, arrow.y0);
        return arrow;
    }

private:
    bool isOutside(std::int32_t x, std::int32_t y) const {
        return x < 0 || x >= m_view.widthPx || y < 0 || y > m_input.heightPx;
    }

    // Near the start of a block, in the middle of a narrow one.
    std::int32_t tailX(const ArrowBox& box) const {
        return box.x0 + std::min((box.x1 - box.x0) / 2, scaledPx(4, m_input.scale));
    }

    std::int32_t pixel(std::int64_t t) const {
        return static_cast<std::int32_t>(std::clamp(std::floor(m_view.xOf({t})), -1e6, 1e6));
    }

    // Where the event is drawn; in a folded group its head, in a folded stack the nearest visible strip.
    ArrowBox boxOf(EventId event) const {
        const TimeRange range = m_trace.events().range(event);
        ArrowBox box{pixel(range.begin.v), pixel(range.end.v), 0, 0};
        const StripId strip = m_trace.stripOf(event);
        const LaneId lane = m_trace.strip(strip).lane;
        const auto index = m_layout.visibleRowOf(lane);
        if (!index)
            return box;
        const TimelineRow& row = m_layout.rows()[*index];
        const StripMetrics metrics(row, m_input.scale, m_input.scrollPx);
        if (row.kind != RowKind::Lane || row.stripCount == 0) {
            box.top = metrics.y;
            box.bottom = metrics.y + metrics.height;
            return box;
        }
        const auto depth =
            static_cast<std::int64_t>(strip.v - m_trace.lane(lane).firstStrip.v) - row.firstStrip;
        const auto n = static_cast<std::uint32_t>(std::clamp<std::int64_t>(depth, 0, row.stripCount - 1));
        box.top = metrics.stripY(n);
        box.bottom = box.top + metrics.heightOf(n);
        return box;
    }

    const Trace& m_trace;
    const RowLayout& m_layout;
    Viewport m_view;
    ArrowInput m_input;
};

// The other ends of what leaves or reaches one event; of more than `most` any.
std::vector<EventId> endsOfEvent(const Trace& trace, const GapAnalysis* gaps, EventId event, bool forward,
                                 std::size_t most = SIZE_MAX) {
    std::vector<EventId> ends;
    const EventKind kind = trace.events().kind[event.v];
    const std::uint32_t group = trace.events().correlation[event.v];
    const CorrelationIndex& correlations = trace.correlations();
    if (isHostCall(kind) && group != 0) {
        if (forward)
            for (const EventId op :
                 correlations.deviceOps(group).first(std::min(most, correlations.deviceOps(group).size())))
                ends.push_back(op);
        else if (const EventId op = operatorAround(trace, event))
            ends.push_back(op);
    } else if (isDeviceOp(kind) && group != 0) {
        if (gaps != nullptr)
            ends = forward ? lacuna::gaps::waitingFor(*gaps->index(), event)
                           : lacuna::gaps::waitedFor(*gaps->index(), event);
        if (const auto launch = correlations.launchOf(trace.events(), event); launch && !forward)
            ends.push_back(*launch);
    } else if (kind == EventKind::Sync && group != 0 && forward) {
        if (const auto calls = correlations.hostCalls(group); !calls.empty())
            ends.push_back(calls[0]);
    } else if (kind == EventKind::CpuOp && forward) {
        ends = launchesUnder(trace, event, most);
    }
    const FlowIndex& flows = trace.flows();
    if (forward)
        for (const FlowLink& link : flows.outgoing(event))
            ends.push_back(link.to);
    else
        for (const std::uint32_t link : flows.incoming(event))
            ends.push_back(flows.links()[link].from);
    return ends;
}

} // namespace

std::vector<Arrow> buildArrows(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                               const Selection& selection, const ArrowInput& input) {
    std::vector<Arrow> arrows;
    if (input.options.scope == ArrowScope::Off)
        return arrows;
    ArrowFinder finder(trace, input);
    if (const auto* event = std::get_if<EventId>(&selection))
        finder.ofEvent(*event);
    else if (const auto* gap = std::get_if<GapId>(&selection); gap != nullptr && input.gaps != nullptr)
        finder.ofGap(input.gaps->gap(*gap));
    if (input.options.scope == ArrowScope::Range)
        finder.ofRange(input.options.range.value_or(devicePx.range()));
    const ArrowPlacer placer(trace, layout, devicePx, input);
    arrows.reserve(finder.links().size());
    for (const ArrowLink& link : finder.links())
        arrows.push_back(placer.place(link));
    return arrows;
}

std::vector<EventId> arrowEnds(const Trace& trace, const GapAnalysis* gaps, const Selection& selection,
                               bool forward) {
    std::vector<EventId> ends;
    if (const auto* event = std::get_if<EventId>(&selection)) {
        ends = endsOfEvent(trace, gaps, *event, forward);
    } else if (const auto* id = std::get_if<GapId>(&selection); id != nullptr && gaps != nullptr) {
        const Gap& gap = gaps->gap(*id);
        if (const EventId end = forward ? gap.next : gap.blockingCall())
            ends.push_back(end);
    }
    std::ranges::sort(ends, {}, [&](EventId e) { return std::pair(trace.events().beginNs[e.v], e); });
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
}

bool hasArrowEnds(const Trace& trace, const GapAnalysis* gaps, const Selection& selection, bool forward) {
    if (const auto* event = std::get_if<EventId>(&selection))
        return !endsOfEvent(trace, gaps, *event, forward, 1).empty();
    return !arrowEnds(trace, gaps, selection, forward).empty();
}

std::size_t arrowWork(const Trace& trace, EventId event) {
    if (trace.events().kind[event.v] != EventKind::CpuOp)
        return 0;
    std::size_t rows = 0;
    const Lane& own = trace.lane(trace.laneOf(event));
    for (std::uint32_t k = 0; k < trace.lanes().size(); ++k) {
        const Lane& lane = trace.lane({k});
        if (lane.kind != LaneKind::CudaApi || lane.thread != own.thread)
            continue;
        for (std::uint32_t s = lane.firstStrip.v; s < lane.firstStrip.v + lane.depth; ++s) {
            const auto [first, last] = eventsTouching(trace, {s}, trace.events().range(event));
            rows += last.v - first.v;
        }
    }
    return rows;
}

} // namespace lacuna
