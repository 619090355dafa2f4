#include "core/analysis/gap_stream.h"

#include "core/analysis/gap_find.h"
#include "core/analysis/gap_runs.h"
#include "core/base/interval_set.h"
#include "core/trace/strip_query.h"

#include <algorithm>

namespace lacuna::gaps {

std::vector<EventId> runningMeanwhile(const GapIndex& index, const Gap& gap) {
    const Trace& trace = index.trace();
    std::vector<EventId> running;
    for (std::uint32_t i = 0; i < trace.strips().size(); ++i) {
        const Lane& lane = trace.lane(trace.strips()[i].lane);
        if (lane.kind != LaneKind::GpuStream || lane.device != gap.device)
            continue;
        const auto [first, last] = eventsTouching(trace, StripId{i}, gap.range);
        for (EventId op = first; op < last; ++op.v)
            if (isDeviceOp(index.events().kind[op.v]) &&
                !intersection(index.events().range(op), gap.range).isEmpty())
                running.push_back(op);
    }
    std::stable_sort(running.begin(), running.end(), [&](EventId a, EventId b) {
        return intersection(index.events().range(a), gap.range).length() >
               intersection(index.events().range(b), gap.range).length();
    });
    return running;
}

std::int64_t busyMeanwhile(const GapIndex& index, const Gap& gap) {
    std::vector<TimeRange> ranges;
    for (const EventId op : runningMeanwhile(index, gap))
        ranges.push_back(intersection(index.events().range(op), gap.range));
    return IntervalSet::fromUnsorted(std::move(ranges)).measure().v;
}

void judgeStreamGap(const GapIndex& index, const LatencyTable& latency, Gap& gap, Judgement& judgement) {
    GapJudge(index, latency).judge(gap, judgement);
    const bool queued = gap.launch && (gap.sameLaunch || gap.beforeNs + gap.insideNs == 0);
    if (!queued || gap.cause == GapCause::StreamDependency ||
        static_cast<double>(busyMeanwhile(index, gap)) <
            index.thresholds().otherStreamShare * static_cast<double>(gap.length().v))
        return;
    gap.cause = GapCause::OtherStreamRunning;
    gap.confidence = gap.clockAnomaly ? GapConfidence::Low : GapConfidence::High;
    gap.boundNs = 0; // the device was not idle
    judgement.parts = {};
    judgement.parts[static_cast<std::size_t>(gap.cause)] = gap.length().v;
    for (Piece& piece : judgement.pieces)
        piece.cause = gap.cause;
    judgement.row = runningMeanwhile(index, gap).front();
}

std::vector<Gap> findStreamGaps(const GapIndex& index, const LatencyTable& latency, LaneId stream) {
    const Trace& trace = index.trace();
    const DeviceId device = trace.lane(stream).device;
    if (trace.lane(stream).kind != LaneKind::GpuStream || !device)
        return {};
    std::vector<EventId> ops;
    for (const Strip& strip : trace.strips(stream))
        for (EventId op = strip.first; op < strip.last; ++op.v)
            if (isDeviceOp(index.events().kind[op.v]))
                ops.push_back(op);
    std::sort(ops.begin(), ops.end(), [&](EventId a, EventId b) {
        const EventTable& events = index.events();
        return events.beginNs[a.v] != events.beginNs[b.v] ? events.beginNs[a.v] < events.beginNs[b.v]
                                                          : events.source[a.v] < events.source[b.v];
    });
    JobControl job;
    std::vector<Gap> gaps = findGaps(index, ops, device, stream, job);
    for (Gap& gap : gaps)
        findDrain(index, gap);
    findRuns(index, gaps, job);
    Judgement judgement;
    for (Gap& gap : gaps)
        judgeStreamGap(index, latency, gap, judgement);
    return gaps;
}

} // namespace lacuna::gaps
