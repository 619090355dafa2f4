#include "core/analysis/stream_summary.h"

#include "core/base/interval_set.h"
#include "core/base/poll.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace lacuna {

namespace {

// Operations of the lane by (start, file order); strips are sorted, overlaps lie in their own strips. None:
// cancelled.
std::optional<std::vector<EventId>> opsOfLane(const Trace& trace, LaneId lane, const JobControl& job) {
    const EventTable& events = trace.events();
    std::vector<EventId> ops;
    RowPoll poll(job);
    for (const Strip& strip : trace.strips(lane))
        for (EventId op = strip.first; op < strip.last; ++op.v) {
            if (!poll.tick())
                return std::nullopt;
            if (isDeviceOp(events.kind[op.v]))
                ops.push_back(op);
        }
    const auto before = [&events](EventId a, EventId b) {
        return std::pair(events.beginNs[a.v], events.source[a.v]) <
               std::pair(events.beginNs[b.v], events.source[b.v]);
    };
    if (!sortRows(ops, poll, before))
        return std::nullopt;
    return ops;
}

class DepthCounter {
public:
    void submitted(std::int64_t t) { m_steps.emplace_back(t, 1); }
    void started(std::int64_t t) { m_steps.emplace_back(t, -1); }
    bool fill(StreamSummary& stream, const JobControl& job) { // false: cancelled
        RowPoll poll(job);
        if (!sortRows(m_steps, poll, std::less<>())) // -1 before +1
            return false;
        std::int64_t depth = 0, since = 0;
        for (const auto& [t, step] : m_steps) {
            if (!poll.tick())
                return false;
            if (depth >= kQueueLimit)
                stream.blockedNs += t - since;
            since = t;
            depth += step;
            stream.maxQueueDepth = std::max(stream.maxQueueDepth, depth);
        }
        return true;
    }

private:
    std::vector<std::pair<std::int64_t, int>> m_steps;
};

bool summarise(const Trace& trace, const std::vector<EventId>& ops, StreamSummary& stream, JobControl& job) {
    const EventTable& events = trace.events();
    stream.ops = ops.size();
    stream.span = events.range(ops.front());
    std::vector<TimeRange> ranges;
    DepthCounter depth;
    for (std::size_t k = 0; k < ops.size(); ++k) {
        if (k % kRowsPerPoll == 0) {
            job.countEvents(std::min(kRowsPerPoll, ops.size() - k));
            if (job.cancelled())
                return false;
        }
        const TimeRange range = events.range(ops[k]);
        if (range.begin < stream.span.end && k != 0)
            ++stream.overlappingStarts;
        stream.span.end = std::max(stream.span.end, range.end);
        ranges.push_back(range);
        if (const auto call = trace.correlations().launchOf(events, ops[k])) {
            depth.submitted(events.beginNs[call->v]);
            depth.started(range.begin.v);
        }
    }
    stream.busyNs = IntervalSet::fromUnsorted(std::move(ranges)).measure().v;
    stream.idleNs = stream.span.length().v - stream.busyNs;
    return depth.fill(stream, job);
}

} // namespace

Result<std::vector<StreamSummary>> summariseStreams(const Trace& trace, DeviceId device, JobControl& job) {
    std::vector<StreamSummary> streams;
    for (std::uint32_t k = 0; k < trace.lanes().size(); ++k) {
        const Lane& lane = trace.lanes()[k];
        if (lane.kind != LaneKind::GpuStream || lane.device != device)
            continue;
        const auto ops = opsOfLane(trace, {k}, job);
        if (!ops)
            return cancelledError();
        if (ops->empty())
            continue;
        StreamSummary stream;
        stream.lane = {k};
        stream.stream = lane.sourceId;
        if (!summarise(trace, *ops, stream, job))
            return cancelledError();
        streams.push_back(stream);
    }
    std::sort(streams.begin(), streams.end(),
              [](const StreamSummary& a, const StreamSummary& b) { return a.stream < b.stream; });
    return streams;
}

} // namespace lacuna
