// Building: the rows of a thread lie in several lanes and strips, each already sorted, so merging the strips
// gives nesting order. One sweep with a stack then finds parents and leaves. A leaf's begin is always the
// begin or the end of some row, so it is stored as that edge; its innermost row is that row or one around it,
// so it is stored as the number of parents on the way.

#include "core/analysis/host_tree.h"

#include "core/analysis/host_lanes.h"
#include "core/analysis/strip_merge.h"
#include "core/base/poll.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <optional>

namespace lacuna {

struct HostTree::Builder {
    struct Open {
        HostRow row;
        std::int64_t end = 0;
    };

    const Trace& trace;
    JobControl& job;
    HostTree& tree;
    StripMerge merge;
    std::vector<Open> stack;
    std::optional<HostRow> lastLeaf; // the innermost row of the thread's last leaf
    std::uint32_t sincePoll = 0;

    bool poll(std::size_t events) {
        sincePoll += static_cast<std::uint32_t>(events);
        job.countEvents(events);
        if (sincePoll < kRowsPerPoll)
            return true;
        sincePoll = 0;
        return !job.cancelled();
    }

    bool collect(std::span<const LaneId> lanes);
    bool nest(ThreadPart& part);
    void popUntil(std::int64_t time, std::int64_t& at, std::uint32_t& edge);
    void emitLeaf(std::uint32_t edge, HostRow row);
    void addLeaf(std::uint32_t edge, unsigned steps);
};

bool HostTree::Builder::collect(std::span<const LaneId> lanes) {
    merge.clear();
    for (const LaneId lane : lanes)
        for (const Strip& strip : trace.strips(lane)) {
            merge.add(strip.first, strip.last);
            if (job.cancelled())
                return false;
        }
    merge.start();
    return true;
}

// A leaf goes on while the innermost row stays the same. The row is that of the edge or one around it: rows
// that ended before it began or ends there are passed over.
void HostTree::Builder::emitLeaf(std::uint32_t edge, HostRow row) {
    if (lastLeaf == row)
        return;
    lastLeaf = row;
    unsigned steps = row ? 0 : kUncovered;
    for (HostRow up{edge >> 1}; row && up != row && steps < kManySteps; up = tree.m_parent[up.v])
        ++steps;
    addLeaf(edge, steps);
}

void HostTree::Builder::addLeaf(std::uint32_t edge, unsigned steps) {
    if (tree.m_leafEdge.size() % 2 == 0)
        tree.m_leafSteps.push_back(static_cast<std::uint8_t>(steps));
    else
        tree.m_leafSteps.back() = static_cast<std::uint8_t>(tree.m_leafSteps.back() | steps << 4);
    tree.m_leafEdge.push_back(edge);
}

// Leaves are known up to `at`, where the edge lies.
void HostTree::Builder::popUntil(std::int64_t time, std::int64_t& at, std::uint32_t& edge) {
    while (!stack.empty() && stack.back().end <= time) {
        const Open top = stack.back();
        stack.pop_back();
        if (top.end > at) {
            emitLeaf(edge, top.row);
            at = top.end;
            edge = (top.row.v << 1) | 1;
        }
    }
}

bool HostTree::Builder::nest(ThreadPart& part) {
    const EventTable& events = trace.events();
    std::int64_t at = INT64_MIN;
    std::uint32_t edge = part.firstRow << 1;
    stack.clear();
    lastLeaf.reset();
    for (EventId event; merge.next(event);) {
        const HostRow row{static_cast<std::uint32_t>(tree.m_event.size())};
        const std::int64_t begin = events.beginNs[event.v], end = events.endNs[event.v];
        popUntil(begin, at, edge);
        if (begin > at && row.v != part.firstRow)
            emitLeaf(edge, stack.empty() ? HostRow{} : stack.back().row);
        at = begin;
        edge = row.v << 1; // of the rows that begin here the innermost so far
        if (!stack.empty() && end > stack.back().end)
            ++part.partialOverlaps;
        tree.m_event.push_back(event);
        tree.m_parent.push_back(stack.empty() ? HostRow{} : stack.back().row);
        stack.push_back({row, end});
        if ((row.v & (kRowsPerPoll - 1)) == 0 && !poll(kRowsPerPoll))
            return false;
    }
    popUntil(INT64_MAX, at, edge);
    if (tree.m_event.size() > part.firstRow)
        addLeaf(edge, kUncovered); // the sentinel
    return true;
}

Result<HostTree> HostTree::build(const Trace& trace, const HostTreeOptions& options, JobControl& job) {
    HostTree tree;
    tree.m_trace = &trace;
    tree.m_parts.resize(trace.threads().size());
    std::vector<std::vector<LaneId>> lanes(trace.threads().size());
    std::size_t rows = 0;
    for (std::uint32_t i = 0; i < trace.lanes().size(); ++i)
        if (isHostLane(trace.lanes()[i], options)) {
            lanes[trace.lanes()[i].thread.v].push_back(LaneId{i});
            for (const Strip& strip : trace.strips(LaneId{i}))
                rows += strip.size();
        }
    tree.m_event.reserve(rows);
    tree.m_parent.reserve(rows);
    tree.m_leafEdge.reserve(2 * rows + tree.m_parts.size()); // what stays untouched costs nothing
    tree.m_leafSteps.reserve(rows);
    Builder builder{trace, job, tree, StripMerge(trace.events()), {}, {}, 0};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        ThreadPart& part = tree.m_parts[i];
        part.firstRow = static_cast<std::uint32_t>(tree.m_event.size());
        part.firstLeaf = static_cast<std::uint32_t>(tree.m_leafEdge.size());
        if (!builder.collect(lanes[i]) || !builder.nest(part))
            return cancelledError();
        part.lastRow = static_cast<std::uint32_t>(tree.m_event.size());
        part.lastLeaf = static_cast<std::uint32_t>(tree.m_leafEdge.size());
    }
    return tree;
}

ThreadId HostTree::threadOf(EventId event) const {
    if (!event)
        return {};
    const Lane& lane = m_trace->lane(m_trace->laneOf(event));
    return isHostLane(lane, {}) ? lane.thread : ThreadId{};
}

HostRow HostTree::find(EventId event) const {
    const ThreadId thread = threadOf(event);
    if (!thread)
        return {};
    const ThreadPart& p = part(thread);
    const StripMerge order(m_trace->events());
    const auto first = m_event.begin() + p.firstRow, last = m_event.begin() + p.lastRow;
    const auto at =
        std::lower_bound(first, last, event, [&](EventId a, EventId b) { return order.before(a, b); });
    return at != last && *at == event ? HostRow{static_cast<std::uint32_t>(at - m_event.begin())} : HostRow{};
}

HostRow HostTree::farLeafRow(std::uint32_t index) const {
    const TimeNs begin = leafBegin(index);
    HostRow row{m_leafEdge[index] >> 1};
    while (row && range(row).end <= begin)
        row = m_parent[row.v];
    return row;
}

HostRow HostTree::enclosing(HostRow row, EventKind wanted) const {
    const TimeRange inner = range(row);
    for (HostRow up = parent(row); up; up = parent(up))
        if (kind(up) == wanted && range(up).end >= inner.end)
            return up;
    return {};
}

std::uint32_t HostTree::leafAt(ThreadId thread, TimeNs t) const {
    const ThreadPart& p = part(thread);
    std::uint32_t low = p.firstLeaf, high = p.lastLeaf;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (leafBegin(middle) <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low == p.firstLeaf ? low : low - 1;
}

std::uint32_t HostTree::leafAt(ThreadId thread, TimeNs t, std::uint32_t hint) const {
    const ThreadPart& p = part(thread);
    if (hint < p.firstLeaf || hint >= p.lastLeaf || leafBegin(hint) > t)
        return leafAt(thread, t);
    std::uint32_t low = hint, step = 1; // low begins at or before t
    while (step < p.lastLeaf - low && leafBegin(low + step) <= t) {
        low += step;
        step *= 2;
    }
    std::uint32_t high = std::min(p.lastLeaf, low + step); // begins after t, or is the end
    while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        (leafBegin(middle) <= t ? low : high) = middle;
    }
    return low;
}

// A parent stands before its children.
Column<std::int64_t> HostTree::selfTimes(const JobControl& job) const {
    Column<std::int64_t> self(size());
    RowPoll poll(job);
    for (std::uint32_t i = 0; i < size() && poll.tick(); ++i) {
        const TimeRange own = range(HostRow{i});
        self[i] = own.length().v;
        if (const HostRow up = m_parent[i])
            self[up.v] -= std::min(own.end, range(up).end).v - own.begin.v;
    }
    return self;
}

std::uint64_t HostTree::partialOverlaps() const {
    std::uint64_t sum = 0;
    for (const ThreadPart& p : m_parts)
        sum += p.partialOverlaps;
    return sum;
}

} // namespace lacuna
