#include "core/analysis/gap_meanwhile.h"

#include "core/trace/strip_query.h"

#include <algorithm>

namespace lacuna::gaps {

namespace {

// The union of ranges that come by begin, and the one with the longest part in the window.
class MeanwhileSum {
public:
    MeanwhileSum(const EventTable& events, TimeRange window)
        : m_events(events), m_window(window), m_covered(window.begin) {}
    void add(EventId op) {
        const TimeRange part = intersection(m_events.range(op), m_window);
        if (part.isEmpty())
            return;
        if (m_covered < part.end) {
            m_share.busyNs += (part.end - std::max(part.begin, m_covered)).v;
            m_covered = part.end;
        }
        const std::int64_t length = part.length().v;
        if (length > m_longestNs || (length == m_longestNs && op < m_share.longest)) {
            m_longestNs = length;
            m_share.longest = op;
        }
    }
    const DeviceMeanwhile::Share& share() const { return m_share; }

private:
    const EventTable& m_events;
    TimeRange m_window;
    TimeNs m_covered;
    std::int64_t m_longestNs = 0;
    DeviceMeanwhile::Share m_share;
};

} // namespace

DeviceMeanwhile::DeviceMeanwhile(const GapIndex& index, DeviceId device)
    : m_index(index), m_ops(index.device(device).ops), m_strips(index.device(device).strips) {}

std::optional<DeviceMeanwhile::Share> DeviceMeanwhile::within(TimeRange window, RowPoll& poll) const {
    const EventTable& events = m_index.events();
    MeanwhileSum sum(events, window);
    // What began before the window: rows of a strip are disjoint, so at most one of each.
    for (const StripId strip : m_strips) {
        const auto [first, last] = eventsTouching(m_index.trace(), strip, window);
        if (first < last && events.beginNs[first.v] < window.begin.v && isDeviceOp(events.kind[first.v]))
            sum.add(first);
        if (!poll.tick())
            return std::nullopt;
    }
    auto at = std::lower_bound(m_ops.begin(), m_ops.end(), window.begin.v,
                               [&](EventId op, std::int64_t t) { return events.beginNs[op.v] < t; });
    for (; at != m_ops.end() && events.beginNs[at->v] < window.end.v; ++at) {
        sum.add(*at);
        if (!poll.tick())
            return std::nullopt;
    }
    return sum.share();
}

std::vector<EventId> DeviceMeanwhile::operations(TimeRange window) const {
    const EventTable& events = m_index.events();
    const auto overlap = [&](EventId op) { return intersection(events.range(op), window).length(); };
    std::vector<EventId> running;
    for (const StripId strip : m_strips) {
        const auto [first, last] = eventsTouching(m_index.trace(), strip, window);
        for (EventId op = first; op < last; ++op.v)
            if (isDeviceOp(events.kind[op.v]) && overlap(op).v > 0)
                running.push_back(op);
    }
    std::stable_sort(running.begin(), running.end(),
                     [&](EventId a, EventId b) { return overlap(a) > overlap(b); });
    return running;
}

} // namespace lacuna::gaps
