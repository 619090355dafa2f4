#pragma once
// Gaps of one stream (analysis.md section 4.7): the same procedure with the stream's own predecessor, and one
// holder more: another stream that kept the device busy. They never enter the device's idle totals.

#include "core/analysis/gap_judge.h"
#include "core/analysis/gap_meanwhile.h"

namespace lacuna::gaps {

// Error: cancelled. O(n) over the device's operations, and what the rules on each gap look at.
Result<std::vector<Gap>> findStreamGaps(const GapIndex& index, const LatencyTable& latency, LaneId stream,
                                        JobControl& job);

// The rules on gaps of the streams of one device.
class StreamGapJudge {
public:
    StreamGapJudge(const GapIndex& index, const LatencyTable& latency, DeviceId device)
        : m_index(index), m_judge(index, latency), m_meanwhile(index, device) {}
    // Fills the gap and the judgement as GapJudge does. False once the job of `poll` is cancelled.
    bool judge(Gap& gap, Judgement& judgement, RowPoll& poll);

private:
    const GapIndex& m_index;
    GapJudge m_judge;
    DeviceMeanwhile m_meanwhile;
};

// One gap of a device or of a stream alone.
void judgeAlone(const GapIndex& index, const LatencyTable& latency, Gap& gap, Judgement& judgement);
// Operations of the device that overlap the gap, the longest overlap first.
std::vector<EventId> runningMeanwhile(const GapIndex& index, const Gap& gap);
// Union of their time in the gap.
std::int64_t busyMeanwhile(const GapIndex& index, const Gap& gap);

} // namespace lacuna::gaps
