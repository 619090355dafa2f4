#include "core/analysis/gap_stream.h"

#include "core/analysis/gap_find.h"
#include "core/analysis/gap_runs.h"

#include <algorithm>

namespace lacuna::gaps {

namespace {

// Operations of the lane by (begin, file order): those of the device are in this order already. Empty when
// cancelled.
std::vector<EventId> operationsOf(const GapIndex& index, LaneId stream, RowPoll& poll) {
    std::vector<EventId> ops;
    const std::span<const Strip> strips = index.trace().strips(stream); // of rows that follow one another
    if (strips.empty())
        return ops;
    for (const EventId op : index.device(index.trace().lane(stream).device).ops) {
        if (!(op < strips.front().first) && op < strips.back().last)
            ops.push_back(op);
        if (!poll.tick())
            return {};
    }
    return ops;
}

} // namespace

std::vector<EventId> runningMeanwhile(const GapIndex& index, const Gap& gap) {
    return DeviceMeanwhile(index, gap.device).operations(gap.range);
}

std::int64_t busyMeanwhile(const GapIndex& index, const Gap& gap) {
    const JobControl job;
    RowPoll poll(job);
    return DeviceMeanwhile(index, gap.device).within(gap.range, poll)->busyNs;
}

bool StreamGapJudge::judge(Gap& gap, Judgement& judgement, RowPoll& poll) {
    m_judge.judge(gap, judgement);
    const bool queued = gap.launch && (gap.sameLaunch || gap.beforeNs + gap.insideNs == 0);
    if (!queued || gap.cause == GapCause::StreamDependency)
        return poll.tick();
    const auto meanwhile = m_meanwhile.within(gap.range, poll);
    if (!meanwhile)
        return false;
    if (!meanwhile->longest ||
        static_cast<double>(meanwhile->busyNs) <
            m_index.thresholds().otherStreamShare * static_cast<double>(gap.length().v))
        return poll.tick();
    gap.cause = GapCause::OtherStreamRunning;
    gap.confidence = gap.clockAnomaly ? GapConfidence::Low : GapConfidence::High;
    gap.boundNs = 0; // the device was not idle
    judgement.parts = {};
    judgement.parts[static_cast<std::size_t>(gap.cause)] = gap.length().v;
    for (Piece& piece : judgement.pieces)
        piece.cause = gap.cause;
    judgement.row = meanwhile->longest;
    return poll.tick();
}

void judgeAlone(const GapIndex& index, const LatencyTable& latency, Gap& gap, Judgement& judgement) {
    if (!gap.stream) {
        GapJudge(index, latency).judge(gap, judgement);
        return;
    }
    const JobControl job;
    RowPoll poll(job);
    StreamGapJudge(index, latency, gap.device).judge(gap, judgement, poll);
}

Result<std::vector<Gap>> findStreamGaps(const GapIndex& index, const LatencyTable& latency, LaneId stream,
                                        JobControl& job) {
    const DeviceId device = index.trace().lane(stream).device;
    if (index.trace().lane(stream).kind != LaneKind::GpuStream || !device)
        return std::vector<Gap>{};
    RowPoll poll(job);
    const std::vector<EventId> ops = operationsOf(index, stream, poll);
    const Column<Gap> found = findGaps(index.trace(), ops, device, stream, job);
    std::vector<Gap> gaps(found.begin(), found.end());
    for (Gap& gap : gaps) {
        findDrain(index, gap);
        if (!poll.tick())
            return cancelledError();
    }
    findRuns(index, gaps, job);
    StreamGapJudge judge(index, latency, device);
    Judgement judgement;
    for (Gap& gap : gaps)
        if (!judge.judge(gap, judgement, poll))
            return cancelledError();
    if (job.cancelled())
        return cancelledError();
    return gaps;
}

} // namespace lacuna::gaps
