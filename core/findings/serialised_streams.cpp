// Look-for 4: several streams with work that never runs at the same time.

#include "core/findings/builtin.h"
#include "core/trace/union_of.h"

#include <algorithm>

namespace lacuna::findings {

namespace {

struct StreamUnion {
    LaneId lane;
    IntervalSet busy;
    std::int64_t ns = 0; // in the window
};

std::vector<StreamUnion> streamsOf(const FindingContext& context, DeviceId device, RowPoll& poll) {
    std::vector<StreamUnion> streams;
    const auto lanes = context.trace.lanes();
    for (std::uint32_t l = 0; l < lanes.size(); ++l) {
        if (lanes[l].kind != LaneKind::GpuStream || lanes[l].device != device)
            continue;
        std::vector<TimeRange> ranges; // of a strip in order: joined at once, since there are millions
        for (const Strip& strip : context.trace.strips({l})) {
            const std::size_t first = ranges.size();
            for (EventId e = strip.first; e < strip.last && poll.tick(); ++e.v) {
                if (!isDeviceOp(context.events().kind[e.v]))
                    continue;
                const TimeRange part = intersection(context.events().range(e), context.window);
                if (part.isEmpty())
                    continue;
                if (ranges.size() > first && part.begin <= ranges.back().end)
                    ranges.back().end = std::max(ranges.back().end, part.end);
                else
                    ranges.push_back(part);
            }
        }
        StreamUnion stream{{l}, unionOf(std::move(ranges), poll).value_or(IntervalSet{}), 0};
        stream.ns = stream.busy.measure().v;
        if (stream.ns != 0)
            streams.push_back(std::move(stream));
    }
    std::stable_sort(streams.begin(), streams.end(),
                     [](const StreamUnion& a, const StreamUnion& b) { return a.ns > b.ns; });
    return streams;
}

std::size_t eventWaitsOfWindow(const FindingContext& context) {
    std::size_t waits = 0;
    for (std::uint32_t t = 0; t < context.trace.threads().size(); ++t)
        for (const HostRow row : context.rows.calls({t}).streamWaits)
            waits += context.startsInWindow(context.tree.event(row)) ? 1U : 0U;
    return waits;
}

std::string streamName(const FindingContext& context, LaneId lane) {
    return "stream " + std::to_string(context.trace.lane(lane).sourceId);
}

} // namespace

Finding serialisedStreams(const FindingContext& context, JobControl& job) {
    Finding finding;
    RowPoll poll(job);
    finding.suggests = "One stream does the work, so nothing could overlap.";
    for (const DeviceBusy& device : context.busy) {
        std::vector<StreamUnion> streams = streamsOf(context, device.device, poll);
        const std::int64_t busyNs = device.busy.measureIn(context.window).v;
        const double least = context.threshold(Threshold::StreamShare) * static_cast<double>(busyNs);
        std::erase_if(streams, [least](const StreamUnion& s) { return static_cast<double>(s.ns) < least; });
        if (streams.size() < 2)
            continue;
        // Time during which at least two of them ran, against what could have been hidden: all but the
        // largest.
        std::int64_t sum = 0;
        IntervalSet all;
        for (const StreamUnion& stream : streams) {
            if (job.cancelled())
                return finding;
            sum += stream.ns;
            all = all.united(stream.busy);
        }
        const std::int64_t overlap = sum - all.measure().v, could = sum - streams.front().ns;
        const bool isFound = static_cast<double>(overlap) <
                             context.threshold(Threshold::OverlapShare) * static_cast<double>(could);
        const std::string figures = countOf(streams.size(), "stream") + " with work, " +
                                    durationText(overlap) + " of " + durationText(could) + " overlap (" +
                                    shareOf(overlap, could) + ").";
        if (finding.state == FindingState::Found && !isFound)
            continue;
        finding.supports.push_back(withWindow(context, plainEvidence(figures)));
        if (!isFound) {
            finding.suggests = "Streams run beside one another.";
            continue;
        }
        finding.state = FindingState::Found;
        finding.costNs += could;
        finding.suggests = "Work on several streams runs one after the other, as if there were one.";
        for (std::size_t s = 0; s < streams.size() && s < 3; ++s) {
            Evidence evidence = plainEvidence(streamName(context, streams[s].lane) + ": " +
                                              durationText(streams[s].ns) + ".");
            evidence.range = streams[s].busy.ranges().front();
            evidence.ns = streams[s].ns;
            finding.supports.push_back(withWindow(context, std::move(evidence)));
        }
    }
    if (finding.state != FindingState::Found)
        return finding;
    if (const std::size_t waits = eventWaitsOfWindow(context); waits != 0)
        finding.against.push_back(
            withWindow(context, plainEvidence(countOf(waits, "event wait") +
                                              " order the streams: the work may depend on one another.")));
    finding.against.push_back(plainEvidence("A kernel that fills the GPU leaves no room for a second one."));
    finding.tests.emplace_back("Take one event wait out where the data allows it, and look for overlap.");
    finding.tests.emplace_back("Look for calls on the default stream between them: it orders all others.");
    return finding;
}

} // namespace lacuna::findings
