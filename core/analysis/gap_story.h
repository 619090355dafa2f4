#pragma once
// Everything that a click on a gap shows: made on demand from the judged gap.

#include "core/analysis/gap_judge.h"
#include "core/analysis/gap_runs.h"

namespace lacuna::gaps {

// What the sentences and the evidence speak about.
struct StoryContext {
    const GapIndex& index;
    const LatencyTable& latency;
    const Gap& gap;
    const Judgement& judgement;
    const GapStory& story;          // places are filled
    const LaunchRun* run = nullptr; // of rule B, when the gap is a member
    std::int64_t partNs(GapCause cause) const { return judgement.parts[static_cast<std::size_t>(cause)]; }
};

// `gaps` are the device's, `runs` count in them.
GapStory tellStory(const GapIndex& index, const LatencyTable& latency, const Gap& gap,
                   std::span<const Gap> gaps, std::span<const LaunchRun> runs);

HostPlace placeOf(const GapIndex& index, EventId hostRow);

std::string verdictOf(const StoryContext& context);
std::vector<std::string> triesFor(const StoryContext& context);
std::string confidenceReasonOf(const StoryContext& context);
void addEvidence(const StoryContext& context, std::vector<GapNote>& evidence);
void addCounterEvidence(const StoryContext& context, std::vector<GapNote>& against);

// Time of the window in which operations of other processes ran on the same GPU, and the process with most.
struct OtherProcess {
    ProcessId process;
    std::int64_t ns = 0;
};
OtherProcess otherProcessIn(const GapIndex& index, DeviceId device, TimeRange window);

} // namespace lacuna::gaps
