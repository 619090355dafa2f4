#include "core/analysis/gap_story.h"

#include "core/analysis/gap_find.h"
#include "core/analysis/gap_stream.h"
#include "core/trace/api_name.h"

#include <algorithm>

namespace lacuna::gaps {

namespace {

std::vector<GapPiece> shownPieces(const GapIndex& index, const Gap& gap, const Pieces& pieces) {
    const Trace& trace = index.trace();
    std::vector<GapPiece> shown;
    for (const Piece& piece : pieces) {
        GapPiece out{piece.range, piece.cls, {}, {}, piece.thread};
        if (piece.row)
            out.event = index.tree().event(piece.row);
        else if (piece.cls == PieceClass::Inside)
            out.event = gap.launch;
        if (out.event)
            out.name = stripApiVersion(trace.nameOf(out.event));
        shown.push_back(std::move(out));
    }
    return shown;
}

const LaunchRun* runOf(const Gap& gap, std::span<const Gap> gaps, std::span<const LaunchRun> runs) {
    if (!gap.launchBound || gap.stream)
        return nullptr;
    // Runs follow one another in time.
    const auto run = std::partition_point(runs.begin(), runs.end(), [&](const LaunchRun& r) {
        return gaps[r.lastGap].range.begin < gap.range.begin;
    });
    return run != runs.end() && gap.range.begin >= gaps[run->firstGap].range.begin ? &*run : nullptr;
}

} // namespace

HostPlace placeOf(const GapIndex& index, EventId hostRow) {
    HostPlace place;
    if (!hostRow)
        return place;
    const HostTree& tree = index.tree();
    place.event = hostRow;
    place.name = stripApiVersion(index.trace().nameOf(hostRow));
    place.thread = index.threadOf(hostRow);
    const HostRow row = tree.find(hostRow);
    if (!row)
        return place;
    const TimeNs end = tree.range(row).end;
    std::uint32_t levels = 0;
    for (HostRow up = tree.parent(row); up && levels < HostTree::kLevelsLookedAt;
         up = tree.parent(up), ++levels) {
        if (tree.range(up).end < end) // overlaps partially: not around it
            continue;
        switch (tree.kind(up)) {
        case EventKind::CpuOp:
            if (!place.operatorEvent)
                place.operatorEvent = tree.event(up);
            break;
        case EventKind::Python:
            if (!place.pythonFrame)
                place.pythonFrame = tree.event(up);
            break;
        case EventKind::Range:
            place.ranges.push_back(tree.event(up));
            break;
        default:
            break;
        }
    }
    std::reverse(place.ranges.begin(), place.ranges.end());
    return place;
}

OtherProcess otherProcessIn(const GapIndex& index, DeviceId device, TimeRange window) {
    const std::span<const Device> devices = index.trace().devices();
    OtherProcess most;
    for (std::uint32_t i = 0; i < devices.size(); ++i) {
        if (i == device.v || devices[i].ordinal != devices[device.v].ordinal ||
            devices[i].process == devices[device.v].process)
            continue;
        Gap other;
        other.range = window;
        other.device = DeviceId{i};
        const std::int64_t ns = busyMeanwhile(index, other);
        if (ns > most.ns)
            most = {devices[i].process, ns};
    }
    return most;
}

GapStory tellStory(const GapIndex& index, const LatencyTable& latency, const Gap& gap,
                   std::span<const Gap> gaps, std::span<const LaunchRun> runs) {
    GapStory story;
    Gap judged = gap;
    Judgement judgement;
    judgeAlone(index, latency, judged, judgement);
    story.pieces = shownPieces(index, gap, judgement.pieces);
    for (std::size_t cause = 0; cause < kGapCauses; ++cause)
        if (judgement.parts[cause] != 0)
            story.parts.push_back({static_cast<GapCause>(cause), judgement.parts[cause]});
    story.blocking = placeOf(index, gap.blockingCall());
    story.drainedBy = placeOf(index, gap.drainedBy);
    story.heldBy = placeOf(index, gap.heldBy);
    story.launch = placeOf(index, gap.launch);
    story.previous = endedAt(index, gap.device, gap.stream, gap.range.begin);
    const StoryContext context{index, latency, gap, judgement, story, runOf(gap, gaps, runs)};
    story.verdict = verdictOf(context);
    story.tries = triesFor(context);
    story.confidenceReason = confidenceReasonOf(context);
    addEvidence(context, story.evidence);
    addCounterEvidence(context, story.against);
    return story;
}

} // namespace lacuna::gaps
