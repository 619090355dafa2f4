#include "core/view/arrows.h"

#include "core/trace/strip_query.h"
#include "core/view/strip_metrics.h"

#include <algorithm>
#include <cmath>

namespace lacuna {

namespace {

struct Box { // of an event, device px of the frame
    std::int32_t x0 = 0, x1 = 0, top = 0, bottom = 0;
};

class ArrowBuilder {
public:
    ArrowBuilder(const Trace& trace, const RowLayout& layout, const Viewport& view, const ArrowInput& input)
        : m_trace(trace), m_layout(layout), m_view(view), m_input(input) {}

    void ofEvent(EventId event) {
        const EventKind kind = m_trace.events().kind[event.v];
        const std::uint32_t group = m_trace.events().correlation[event.v];
        const CorrelationIndex& correlations = m_trace.correlations();
        if (isHostCall(kind) && group != 0) {
            fan(event, correlations.deviceOps(group));
        } else if (isDeviceOp(kind) && group != 0) {
            if (const auto launch = correlations.launchOf(m_trace.events(), event))
                launchArrow(*launch, event, 1);
        } else if (kind == EventKind::Sync && group != 0) { // the wait and the call that made it
            const auto calls = correlations.hostCalls(group);
            if (!calls.empty())
                dependency(event, calls[0]);
        } else if (kind == EventKind::CpuOp) {
            ofOperator(event);
        }
        recorded(event);
    }

    void ofGap(const Gap& gap) {
        if (gap.previous && gap.drainedBy)
            dependency(gap.previous, gap.drainedBy);
        if (gap.launch && gap.next)
            launchArrow(gap.launch, gap.next, 1);
    }

    std::vector<Arrow> arrows;

private:
    void fan(EventId from, std::span<const EventId> ops) {
        if (ops.size() > kFanLimit) {
            launchArrow(from, ops[0], static_cast<std::uint32_t>(ops.size()));
            return;
        }
        for (const EventId op : ops)
            launchArrow(from, op, 1);
    }

    // Operator -> the launch calls under it on its thread -> their work.
    void ofOperator(EventId op) {
        const std::vector<EventId> calls = launchesUnder(op);
        std::size_t work = 0;
        EventId first;
        for (const EventId call : calls) {
            const auto ops = m_trace.correlations().deviceOps(m_trace.events().correlation[call.v]);
            first = first ? first : ops[0];
            work += ops.size();
        }
        if (work > kFanLimit) {
            launchArrow(op, first, static_cast<std::uint32_t>(work));
            return;
        }
        for (const EventId call : calls) {
            const Box from = boxOf(op), to = boxOf(call);
            Arrow arrow = between(op, call, from, to, tailX(to));
            arrow.x0 = arrow.x1 = tailX(to); // straight down to the call
            arrows.push_back(arrow);
            fan(call, m_trace.correlations().deviceOps(m_trace.events().correlation[call.v]));
        }
    }

    // Arrows that the file records, both ways.
    void recorded(EventId event) {
        const FlowIndex& flows = m_trace.flows();
        const auto outgoing = flows.outgoing(event);
        const bool isFanOut = outgoing.size() > kFanLimit;
        for (const FlowLink& link : isFanOut ? outgoing.first(1) : outgoing)
            flowArrow(link, isFanOut ? outgoing.size() : 1);
        const auto incoming = flows.incoming(event);
        const bool isFanIn = incoming.size() > kFanLimit;
        for (const std::uint32_t link : isFanIn ? incoming.first(1) : incoming)
            flowArrow(flows.links()[link], isFanIn ? incoming.size() : 1);
    }

    void flowArrow(const FlowLink& link, std::size_t count) {
        const Box from = boxOf(link.from), to = boxOf(link.to);
        Arrow arrow = between(link.from, link.to, from, to, tailX(from));
        arrow.count = static_cast<std::uint32_t>(count);
        const std::string_view name = m_trace.strings().view(link.name);
        const bool isOwnership =
            isDeviceOp(m_trace.events().kind[link.to.v]) || name == "fwdbwd" || name == "fwd_bwd";
        if (!isOwnership)
            arrow.style = ArrowStyle::Dependency;
        arrow.skewed = m_trace.events().beginNs[link.to.v] < m_trace.events().beginNs[link.from.v];
        arrows.push_back(arrow);
    }

    std::vector<EventId> launchesUnder(EventId op) const {
        std::vector<EventId> calls;
        const Lane& own = m_trace.lane(m_trace.laneOf(op));
        const TimeRange range = m_trace.events().range(op);
        for (std::uint32_t k = 0; k < m_trace.lanes().size(); ++k) {
            const Lane& lane = m_trace.lane({k});
            if (lane.kind != LaneKind::CudaApi || lane.thread != own.thread)
                continue;
            for (std::uint32_t s = lane.firstStrip.v; s < lane.firstStrip.v + lane.depth; ++s) {
                const auto [first, last] = eventsTouching(m_trace, {s}, range);
                for (EventId call = first; call < last; ++call.v) {
                    const std::uint32_t group = m_trace.events().correlation[call.v];
                    if (m_trace.events().beginNs[call.v] >= range.begin.v && group != 0 &&
                        !m_trace.correlations().deviceOps(group).empty())
                        calls.push_back(call);
                }
            }
        }
        std::ranges::sort(calls, {}, [&](EventId e) { return m_trace.events().beginNs[e.v]; });
        return calls;
    }

    void launchArrow(EventId launch, EventId op, std::uint32_t count) {
        const Box from = boxOf(launch), to = boxOf(op);
        Arrow arrow = between(launch, op, from, to, tailX(from));
        arrow.count = count;
        arrow.skewed = m_trace.events().beginNs[op.v] < m_trace.events().beginNs[launch.v];
        arrows.push_back(arrow);
    }

    // From the end of one row to the end of the other: what ended let the wait return.
    void dependency(EventId from, EventId to) {
        const Box a = boxOf(from), b = boxOf(to);
        Arrow arrow = between(from, to, a, b, a.x1);
        arrow.x1 = b.x1;
        arrow.style = ArrowStyle::Dependency;
        arrow.toOutside = isOutside(arrow.x1, arrow.y1);
        arrows.push_back(arrow);
    }

    Arrow between(EventId from, EventId to, const Box& a, const Box& b, std::int32_t x0) const {
        Arrow arrow;
        arrow.from = from;
        arrow.to = to;
        const bool down = b.top >= a.bottom;
        arrow.x0 = x0;
        arrow.y0 = down ? a.bottom : a.top;
        arrow.x1 = b.x0;
        arrow.y1 = down ? b.top : b.bottom;
        arrow.toOutside = isOutside(arrow.x1, arrow.y1);
        return arrow;
    }

    bool isOutside(std::int32_t x, std::int32_t y) const {
        return x < 0 || x >= m_view.widthPx || y < 0 || y > m_input.heightPx;
    }

    // Near the start of a block, in the middle of a narrow one.
    std::int32_t tailX(const Box& box) const {
        return box.x0 + std::min((box.x1 - box.x0) / 2, scaledPx(4, m_input.scale));
    }

    std::int32_t pixel(std::int64_t t) const {
        return static_cast<std::int32_t>(std::clamp(std::floor(m_view.xOf({t})), -1e6, 1e6));
    }

    // Where the event is drawn; in a folded group its head, in a folded stack the nearest visible strip.
    Box boxOf(EventId event) const {
        const TimeRange range = m_trace.events().range(event);
        Box box{pixel(range.begin.v), pixel(range.end.v), 0, 0};
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

} // namespace

std::vector<Arrow> buildArrows(const Trace& trace, const RowLayout& layout, const Viewport& devicePx,
                               const Selection& selection, const ArrowInput& input) {
    ArrowBuilder builder(trace, layout, devicePx, input);
    if (const auto* event = std::get_if<EventId>(&selection))
        builder.ofEvent(*event);
    else if (const auto* gap = std::get_if<GapId>(&selection); gap != nullptr && input.gaps != nullptr)
        builder.ofGap(input.gaps->gap(*gap));
    return std::move(builder.arrows);
}

} // namespace lacuna
