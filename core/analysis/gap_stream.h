#pragma once
// Gaps of one stream (analysis.md section 4.7): the same procedure with the stream's own predecessor, and one
// holder more: another stream that kept the device busy. They never enter the device's idle totals.

#include "core/analysis/gap_judge.h"

namespace lacuna::gaps {

std::vector<Gap> findStreamGaps(const GapIndex& index, const LatencyTable& latency, LaneId stream);
void judgeStreamGap(const GapIndex& index, const LatencyTable& latency, Gap& gap, Judgement& judgement);
// Operations of the device that overlap the gap, the longest overlap first.
std::vector<EventId> runningMeanwhile(const GapIndex& index, const Gap& gap);
// Union of their time in the gap.
std::int64_t busyMeanwhile(const GapIndex& index, const Gap& gap);

} // namespace lacuna::gaps
