#include "core/analysis/device_overlap.h"

#include "core/trace/sort_rows.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {

// One sweep over starts in order of time: whatever lies before the furthest end so far is shared.
// Empty when the poll's job was cancelled.
IntervalSet sharedTime(std::vector<TimeRange>& ops, RowPoll& poll) {
    if (!sortRows(ops, poll, [](const TimeRange& a, const TimeRange& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
        }))
        return {};
    std::vector<TimeRange> shared;
    TimeNs furthest = ops.empty() ? TimeNs{} : ops.front().begin;
    for (const TimeRange& op : ops) {
        const TimeNs until = std::min(op.end, furthest);
        if (op.begin < until)
            shared.push_back({op.begin, until});
        furthest = std::max(furthest, op.end);
    }
    return IntervalSet::fromUnsorted(std::move(shared));
}

} // namespace

Result<DeviceOverlap> DeviceOverlap::of(const Trace& trace, JobControl& job) {
    std::vector<std::vector<TimeRange>> ops(trace.devices().size());
    RowPoll poll(job);
    for (const Strip& strip : trace.strips()) {
        const Lane& lane = trace.lane(strip.lane);
        if (!lane.device)
            continue;
        for (EventId e = strip.first; e < strip.last; ++e.v) {
            if (!poll.tick())
                return cancelledError();
            if (isDeviceOp(trace.events().kind[e.v]))
                ops[lane.device.v].push_back(trace.events().range(e));
        }
    }
    DeviceOverlap overlap;
    overlap.m_trace = &trace;
    overlap.m_shared.reserve(ops.size());
    for (std::vector<TimeRange>& ofDevice : ops) {
        overlap.m_shared.push_back(sharedTime(ofDevice, poll));
        if (job.cancelled())
            return cancelledError();
    }
    return overlap;
}

DurationNs DeviceOverlap::overlapped(EventId op) const {
    const DeviceId device = m_trace->lane(m_trace->laneOf(op)).device;
    if (!device || !isDeviceOp(m_trace->events().kind[op.v]))
        return {};
    return m_shared[device.v].measureIn(m_trace->events().range(op));
}

} // namespace lacuna
