#include "core/analysis/gap_edges.h"

#include "core/analysis/gap_pieces.h"
#include "core/trace/api_name.h"

#include <algorithm>

namespace lacuna::gaps {

namespace {

// The thread that launches most of the device's work; none without launches.
ThreadId mainThreadOf(const DeviceIndex& device) {
    const auto most =
        std::max_element(device.submits.begin(), device.submits.end(),
                         [](const Submits& a, const Submits& b) { return a.calls.size() < b.calls.size(); });
    return most == device.submits.end() ? ThreadId{} : most->thread;
}

Gap edgeOf(DeviceId device, ThreadId thread, TimeRange range, GapCause cause) {
    Gap edge;
    edge.range = range;
    edge.device = device;
    edge.thread = thread;
    edge.cause = cause;
    edge.confidence = GapConfidence::High; // that it is an edge is no guess
    return edge;
}

} // namespace

bool isEdge(const Gap& gap) {
    return classOf(gap.cause) == GapClass::Edge;
}

std::vector<Gap> findEdges(const GapIndex& index, DeviceId device, TimeRange window) {
    const DeviceIndex& info = index.device(device);
    const ThreadId thread = mainThreadOf(info);
    std::vector<Gap> edges;
    if (info.ops.empty()) {
        if (!window.isEmpty())
            edges.push_back(edgeOf(device, thread, window, GapCause::EdgeStart));
        return edges;
    }
    const TimeRange head{window.begin, std::min(window.end, info.span.begin)};
    const TimeRange tail{std::max(window.begin, info.span.end), window.end};
    if (!head.isEmpty())
        edges.push_back(edgeOf(device, thread, head, GapCause::EdgeStart));
    if (!tail.isEmpty())
        edges.push_back(edgeOf(device, thread, tail, GapCause::EdgeEnd));
    return edges;
}

GapStory tellEdge(const GapIndex& index, const Gap& edge) {
    const Trace& trace = index.trace();
    const bool isTail = edge.cause == GapCause::EdgeEnd;
    GapStory story;
    story.verdict = std::string(confidenceWord(edge.confidence)) + ": " +
                    (isTail ? "after the last operation of GPU " : "before the first operation of GPU ") +
                    std::to_string(trace.devices()[edge.device.v].ordinal) + "; not counted as idle.";
    story.parts.push_back({edge.cause, edge.length().v});
    story.confidenceReason = "no operation of this GPU lies beyond";
    if (!edge.thread) {
        story.pieces.push_back({edge.range, PieceClass::Unknown, {}, {}, {}});
        return story;
    }
    Pieces pieces;
    PieceMaker(index).own(edge.thread, edge.range, pieces);
    EventId step, flush;
    for (const Piece& piece : pieces) {
        GapPiece shown{piece.range, piece.cls, {}, {}, piece.thread};
        if (piece.row) {
            shown.event = index.tree().event(piece.row);
            shown.name = stripApiVersion(trace.nameOf(shown.event));
        }
        for (HostRow up = piece.row; up; up = index.tree().parent(up))
            if (index.rows().isStep(up) && edge.range.contains(index.tree().range(up).end))
                step = index.tree().event(up);
        story.pieces.push_back(std::move(shown));
    }
    index.overheadRows().visit(edge.range, [&](EventId row, TimeRange) { flush = row; });
    if (step)
        story.evidence.push_back({"step_boundary", std::string(trace.nameOf(step)) + " ends here", 0, step});
    if (flush)
        story.evidence.push_back({"profiler_flush",
                                  std::string(trace.nameOf(flush)) + ": the profiler was at work",
                                  index.events().duration(flush).v, flush});
    return story;
}

} // namespace lacuna::gaps
