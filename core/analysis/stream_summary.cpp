#include "core/analysis/stream_summary.h"

#include "core/base/interval_set.h"
#include "core/base/poll.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {

// Operations of the lane by (start, file order); strips are sorted, overlaps lie in their own strips.
std::vector<EventId> opsOfLane(const Trace& trace, LaneId lane) {
    const EventTable& events = trace.events();
    std::vector<EventId> ops;
    for (const Strip& strip : trace.strips(lane))
        for (EventId op = strip.first; op < strip.last; ++op.v)
            if (isDeviceOp(events.kind[op.v]))
                ops.push_back(op);
    const auto before = [&events](EventId a, EventId b) {
        return std::pair(events.beginNs[a.v], events.source[a.v]) <
               std::pair(events.beginNs[b.v], events.source[b.v]);
    };
    if (!std::is_sorted(ops.begin(), ops.end(), before))
        std::sort(ops.begin(), ops.end(), before);
    return ops;
}

class DepthCounter {
public:
    void submitted(std::int64_t t) { m_steps.emplace_back(t, 1); }
    void started(std::int64_t t) { m_steps.emplace_back(t, -1); }
    void fill(StreamSummary& stream) {
        std::sort(m_steps.begin(), m_steps.end()); // -1 before +1
        std::int64_t depth = 0, since = 0;
        for (const auto& [t, step] : m_steps) {
            if (depth >= kQueueLimit)
                stream.blockedNs += t - since;
            since = t;
            depth += step;
            stream.maxQueueDepth = std::max(stream.maxQueueDepth, depth);
        }
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
    depth.fill(stream);
    return true;
}

} // namespace

Result<std::vector<StreamSummary>> summariseStreams(const Trace& trace, DeviceId device, JobControl& job) {
    std::vector<StreamSummary> streams;
    for (std::uint32_t k = 0; k < trace.lanes().size(); ++k) {
        const Lane& lane = trace.lanes()[k];
        if (lane.kind != LaneKind::GpuStream || lane.device != device)
            continue;
        const std::vector<EventId> ops = opsOfLane(trace, {k});
        if (ops.empty())
            continue;
        StreamSummary stream;
        stream.lane = {k};
        stream.stream = lane.sourceId;
        if (!summarise(trace, ops, stream, job))
            return cancelledError();
        streams.push_back(stream);
    }
    std::sort(streams.begin(), streams.end(),
              [](const StreamSummary& a, const StreamSummary& b) { return a.stream < b.stream; });
    return streams;
}

} // namespace lacuna
