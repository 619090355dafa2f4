// Building: the rows of a thread lie in several lanes and strips, each already sorted, so a natural merge of
// strips (bottom up, pairs of neighbours) gives nesting order. One sweep with a stack then finds parents and
// leaves. A leaf's begin is always the begin or the end of some row, so it is stored as that edge.

#include "core/analysis/host_tree.h"

#include "core/base/poll.h"

#include <algorithm>

namespace lacuna {

namespace {

bool isHostLane(const Lane& lane, const HostTreeOptions& options) {
    switch (lane.kind) {
    case LaneKind::Python:
        return lane.thread && options.pythonRows;
    case LaneKind::OsRuntime:
        return lane.thread && options.osRows;
    case LaneKind::Steps:
    case LaneKind::Range:
    case LaneKind::CpuThread:
    case LaneKind::CudaApi:
    case LaneKind::Overhead:
        return static_cast<bool>(lane.thread);
    default:
        return false;
    }
}

} // namespace

struct HostTree::Builder {
    struct Key {
        std::int64_t begin = 0;
        EventId event;
    };

    // (begin, longer first, order in the file).
    class NestingOrder {
    public:
        explicit NestingOrder(const EventTable& events) : m_events(&events) {}
        bool operator()(const Key& a, const Key& b) const {
            if (a.begin != b.begin)
                return a.begin < b.begin;
            const std::int64_t endA = m_events->endNs[a.event.v], endB = m_events->endNs[b.event.v];
            if (endA != endB)
                return endA > endB;
            const std::uint64_t sourceA = m_events->source[a.event.v], sourceB = m_events->source[b.event.v];
            return sourceA != sourceB ? sourceA < sourceB : a.event < b.event;
        }

    private:
        const EventTable* m_events;
    };

    const Trace& trace;
    JobControl& job;
    HostTree& tree;
    std::vector<Key> keys, spare;
    std::vector<std::size_t> runs; // starts of sorted runs in keys, and the end
    std::vector<HostRow> stack;
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
    bool mergeRuns();
    bool nest(ThreadPart& part);
    void emitLeaf(const ThreadPart& part, std::uint32_t edge, HostRow row);
};

// Keys of the lanes' rows, one run per strip. Zero-length rows that share a begin in one strip may stand in
// another order than nesting wants: such strips are sorted.
bool HostTree::Builder::collect(std::span<const LaneId> lanes) {
    std::size_t rows = 0;
    for (const LaneId lane : lanes)
        for (const Strip& strip : trace.strips(lane))
            rows += strip.size();
    keys.clear();
    keys.reserve(rows);
    runs.assign(1, 0);
    const HostTree::Builder::NestingOrder before(trace.events());
    for (const LaneId lane : lanes)
        for (const Strip& strip : trace.strips(lane)) {
            const std::size_t first = keys.size();
            for (EventId e = strip.first; e < strip.last; ++e.v) {
                keys.push_back({trace.events().beginNs[e.v], e});
                if ((e.v & (kRowsPerPoll - 1)) == 0 && !poll(kRowsPerPoll))
                    return false;
            }
            const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(first);
            if (!std::is_sorted(begin, keys.end(), before))
                std::sort(begin, keys.end(), before);
            runs.push_back(keys.size());
        }
    return poll(0);
}

bool HostTree::Builder::mergeRuns() {
    const HostTree::Builder::NestingOrder before(trace.events());
    spare.resize(keys.size());
    while (runs.size() > 2) {
        std::vector<std::size_t> merged{0};
        for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
            const auto at = [this](std::size_t run) {
                return keys.data() + runs[std::min(run, runs.size() - 1)];
            };
            const Key *a = at(i), *endA = at(i + 1), *b = endA, *endB = at(i + 2);
            Key* out = spare.data() + runs[i];
            for (std::uint32_t n = 0; a != endA || b != endB; ++n) {
                *out++ = b == endB || (a != endA && !before(*b, *a)) ? *a++ : *b++;
                if ((n & (kRowsPerPoll - 1)) == kRowsPerPoll - 1 && job.cancelled())
                    return false;
            }
            merged.push_back(runs[std::min(i + 2, runs.size() - 1)]);
        }
        keys.swap(spare);
        runs.swap(merged);
        if (job.cancelled())
            return false;
    }
    return true;
}

// A leaf goes on while the innermost row stays the same.
void HostTree::Builder::emitLeaf(const ThreadPart& part, std::uint32_t edge, HostRow row) {
    if (tree.m_leafRow.size() > part.firstLeaf && tree.m_leafRow.back() == row)
        return;
    tree.m_leafEdge.push_back(edge);
    tree.m_leafRow.push_back(row);
}

bool HostTree::Builder::nest(ThreadPart& part) {
    const EventTable& events = trace.events();
    const auto end = [&](HostRow row) { return events.endNs[tree.m_event[row.v].v]; };
    std::int64_t at = keys.empty() ? 0 : keys.front().begin; // leaves are known up to here
    std::uint32_t edge = part.firstRow << 1;                 // the edge that lies at `at`
    stack.clear();
    const auto popUntil = [&](std::int64_t time) {
        while (!stack.empty() && end(stack.back()) <= time) {
            const HostRow top = stack.back();
            stack.pop_back();
            if (end(top) > at) {
                emitLeaf(part, edge, top);
                at = end(top);
                edge = (top.v << 1) | 1;
            }
        }
    };
    for (const Key& key : keys) {
        const HostRow row{static_cast<std::uint32_t>(tree.m_event.size())};
        popUntil(key.begin);
        if (key.begin > at) {
            emitLeaf(part, edge, stack.empty() ? HostRow{} : stack.back());
            at = key.begin;
            edge = row.v << 1;
        }
        const HostRow parent = stack.empty() ? HostRow{} : stack.back();
        if (parent && events.endNs[key.event.v] > end(parent))
            ++part.partialOverlaps;
        tree.m_event.push_back(key.event);
        tree.m_parent.push_back(parent);
        stack.push_back(row);
        if ((row.v & (kRowsPerPoll - 1)) == 0 && job.cancelled())
            return false;
    }
    popUntil(INT64_MAX);
    if (!keys.empty()) { // the sentinel
        tree.m_leafEdge.push_back(edge);
        tree.m_leafRow.push_back(HostRow{});
    }
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
    tree.m_leafEdge.reserve(rows + rows / 2);
    tree.m_leafRow.reserve(rows + rows / 2);
    Builder builder{trace, job, tree, {}, {}, {}, {}};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        ThreadPart& part = tree.m_parts[i];
        part.firstRow = static_cast<std::uint32_t>(tree.m_event.size());
        part.firstLeaf = static_cast<std::uint32_t>(tree.m_leafRow.size());
        if (!builder.collect(lanes[i]) || !builder.mergeRuns() || !builder.nest(part))
            return Error{Errc::Cancelled, "cancelled", {}, {}};
        part.lastRow = static_cast<std::uint32_t>(tree.m_event.size());
        part.lastLeaf = static_cast<std::uint32_t>(tree.m_leafRow.size());
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
    const EventTable& events = m_trace->events();
    const HostTree::Builder::NestingOrder before(events);
    const auto first = m_event.begin() + p.firstRow, last = m_event.begin() + p.lastRow;
    const auto at = std::lower_bound(first, last, event, [&](EventId a, EventId b) {
        return before({events.beginNs[a.v], a}, {events.beginNs[b.v], b});
    });
    return at != last && *at == event ? HostRow{static_cast<std::uint32_t>(at - m_event.begin())} : HostRow{};
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

Column<std::int64_t> HostTree::selfTimes() const {
    Column<std::int64_t> self(size());
    for (std::uint32_t i = 0; i < size(); ++i)
        self[i] = range(HostRow{i}).length().v;
    for (std::uint32_t i = 0; i < size(); ++i)
        if (const HostRow up = m_parent[i])
            self[up.v] -= std::min(range(HostRow{i}).end, range(up).end).v - range(HostRow{i}).begin.v;
    return self;
}

std::uint64_t HostTree::partialOverlaps() const {
    std::uint64_t sum = 0;
    for (const ThreadPart& p : m_parts)
        sum += p.partialOverlaps;
    return sum;
}

} // namespace lacuna
