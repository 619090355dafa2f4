#include "core/analysis/gap_find.h"

#include "core/base/poll.h"

#include <algorithm>

namespace lacuna::gaps {

namespace {

std::uint64_t fileOrder(const EventTable& events, EventId event) {
    return events.source[event.v];
}

// Launch call, thread and cuts of a gap whose ends are known.
void cut(const Trace& trace, Gap& gap) {
    const EventTable& events = trace.events();
    const std::int64_t g0 = gap.range.begin.v, g1 = gap.range.end.v;
    gap.launch = trace.correlations().launchOf(events, gap.next).value_or(EventId{});
    if (!gap.launch)
        return;
    const std::int64_t l0 = events.beginNs[gap.launch.v], l1 = events.endNs[gap.launch.v];
    const std::int64_t launchBegins = std::min(g1, std::max(g0, l0));
    const std::int64_t launchEnds = std::min(g1, std::max(launchBegins, l1));
    gap.beforeNs = launchBegins - g0;
    gap.insideNs = launchEnds - launchBegins;
    gap.afterNs = g1 - launchEnds;
    gap.clockAnomaly = g1 < l0;
}

// Operations that end at the running maximum of the ends, while sweeping.
class LastEnded {
public:
    explicit LastEnded(const EventTable& events) : m_events(events) {}
    std::int64_t time() const { return m_time; }
    void add(EventId op) {
        const std::int64_t end = m_events.endNs[op.v];
        if (end < m_time && m_first)
            return;
        if (end > m_time || !m_first) {
            m_time = end;
            m_first = op;
            m_others.clear();
        } else {
            m_others.push_back(op);
        }
    }
    EventId firstInFile() const {
        EventId first = m_first;
        for (const EventId op : m_others)
            if (fileOrder(m_events, op) < fileOrder(m_events, first))
                first = op;
        return first;
    }
    bool sharesGroupWith(EventId op) const {
        const std::uint32_t group = m_events.correlation[op.v];
        return group != 0 && (m_events.correlation[m_first.v] == group ||
                              std::any_of(m_others.begin(), m_others.end(),
                                          [&](EventId o) { return m_events.correlation[o.v] == group; }));
    }

private:
    const EventTable& m_events;
    EventId m_first;
    std::vector<EventId> m_others; // that end with it
    std::int64_t m_time = INT64_MIN;
};

} // namespace

Column<Gap> findGaps(const Trace& trace, std::span<const EventId> ops, DeviceId device, LaneId stream,
                     JobControl& job) {
    const EventTable& events = trace.events();
    Column<Gap> gaps;
    gaps.reserve(ops.size()); // what stays untouched costs nothing; growing would copy them all
    LastEnded ended(events);
    LaneCursor lanes(trace);
    const auto add = [&](EventId next) {
        Gap gap;
        gap.range = {{ended.time()}, {events.beginNs[next.v]}};
        gap.device = device;
        gap.stream = stream;
        gap.previous = ended.firstInFile();
        gap.next = next;
        cut(trace, gap);
        gap.sameLaunch = gap.launch && ended.sharesGroupWith(next);
        if (gap.launch)
            gap.thread = trace.lane(lanes.of(gap.launch)).thread;
        gaps.push_back(gap);
    };
    EventId
        skipped; // first zero-length operation beyond the covered time: it ends a gap only if none follows
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const EventId op = ops[i];
        // Not counted: another thread may count the host's rows between its own polls.
        if (i % kRowsPerPoll == 0 && job.cancelled())
            return {};
        const bool isEmpty = events.endNs[op.v] == events.beginNs[op.v];
        if (i != 0 && isEmpty) { // adds nothing to the union
            if (events.beginNs[op.v] == ended.time())
                ended.add(op);
            else if (events.beginNs[op.v] > ended.time() &&
                     (!skipped || events.beginNs[op.v] > events.beginNs[skipped.v]))
                skipped = op;
            continue;
        }
        if (i != 0 && events.beginNs[op.v] > ended.time())
            add(op);
        if (skipped && events.beginNs[skipped.v] <= events.endNs[op.v])
            skipped = {};
        ended.add(op);
    }
    // The last end of the device is that of an operation of zero length.
    if (skipped && events.beginNs[skipped.v] > ended.time())
        add(skipped);
    return gaps;
}

std::vector<EventId> endedAt(const GapIndex& index, DeviceId device, LaneId stream, TimeNs time) {
    const EventTable& events = index.events();
    std::vector<EventId> found;
    if (const std::vector<EventId>& byEnd = index.device(device).byEnd; !byEnd.empty()) {
        auto at = std::lower_bound(byEnd.begin(), byEnd.end(), time.v,
                                   [&](EventId op, std::int64_t t) { return events.endNs[op.v] < t; });
        for (; at != byEnd.end() && events.endNs[at->v] == time.v; ++at)
            if (!stream || index.trace().laneOf(*at) == stream)
                found.push_back(*at);
        return found;
    }
    for (const StripId id : index.device(device).strips) {
        const Strip& strip = index.trace().strip(id);
        if (stream && strip.lane != stream)
            continue;
        // Ends ascend along a strip.
        std::uint32_t low = strip.first.v, high = strip.last.v;
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            if (events.endNs[middle] < time.v)
                low = middle + 1;
            else
                high = middle;
        }
        for (; low < strip.last.v && events.endNs[low] == time.v; ++low)
            if (isDeviceOp(events.kind[low]))
                found.push_back(EventId{low});
    }
    std::sort(found.begin(), found.end(),
              [&](EventId a, EventId b) { return fileOrder(events, a) < fileOrder(events, b); });
    return found;
}

void findDrain(const GapIndex& index, Gap& gap) {
    const EventTable& events = index.events();
    if (!gap.launch || !gap.thread || gap.beforeNs + gap.insideNs == 0 || gap.sameLaunch)
        return;
    const Submits* submits = index.device(gap.device).submitsOf(gap.thread);
    if (submits == nullptr)
        return;
    const std::int64_t g0 = gap.range.begin.v, l0 = events.beginNs[gap.launch.v];
    const std::int64_t epsilon = index.thresholds().drainEpsilonNs;
    const std::vector<HoldingCall>& holding = index.rows().calls(gap.thread).holding;
    auto at = std::lower_bound(holding.begin(), holding.end(), g0,
                               [](const HoldingCall& call, std::int64_t t) { return call.begin < t; });
    for (; at != holding.begin() && std::prev(at)->end >= g0 - epsilon; --at) {
        const HoldingCall& call = *std::prev(at);
        const bool waited =
            call.hold == Hold::Waits || (call.hold == Hold::MayWait && call.end <= g0 + epsilon);
        if (!waited || call.end > l0)
            continue;
        const auto next =
            std::upper_bound(submits->calls.begin(), submits->calls.end(), call.end,
                             [&](std::int64_t t, EventId c) { return t < events.beginNs[c.v]; });
        if (next != submits->calls.end() && events.beginNs[next->v] < l0)
            return; // earlier calls have this launch behind them too
        const auto place = static_cast<std::size_t>(&call - holding.data());
        gap.drainedBy = index.tree().event(call.row);
        gap.lostRunAheadNs = std::min(call.end, g0) - call.begin + submits->heldBefore[place];
        gap.syncPartNs = std::min(gap.beforeNs + gap.insideNs, gap.lostRunAheadNs);
        return;
    }
}

} // namespace lacuna::gaps
