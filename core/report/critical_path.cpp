// critical_path: time of the chain that decided when the last operation ended, by kind; critical_path_trace:
// the chain; kernel_exposure: what of each kernel ran alone, and what of it is on the chain.

#include "core/analysis/critical_path.h"

#include "core/analysis/hta_critical_path.h"
#include "core/analysis/kernel_exposure.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/trace/api_name.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace lacuna::reports {

namespace {

constexpr const char* kNoPath = "No device operation ends in this part of the trace.";

struct PathOfTrace {
    std::shared_ptr<const ReplayModel> model;
    CriticalPath path;
};

Result<PathOfTrace> pathOf(const ReportInput& input, JobControl& job) {
    // Not owned: the model ends with the report.
    const std::shared_ptr<const Trace> trace(std::shared_ptr<const Trace>(), &input.trace);
    const auto model = ReplayModel::build(trace, job);
    if (!model)
        return model.error();
    auto path = lacuna::criticalPath(**model, job, input.options.range);
    if (!path)
        return path.error();
    return PathOfTrace{*model, std::move(*path)};
}

std::string pathName(const Trace& trace, EventId event) {
    return event ? std::string(stripApiVersion(trace.nameOf(event))) : std::string();
}

// "stream 7" or the title of the thread.
std::string placeOfPiece(const Trace& trace, const PathPiece& piece) {
    if (piece.thread)
        return trace.threadTitle(piece.thread);
    return "stream " + std::to_string(trace.lane(trace.laneOf(piece.event)).sourceId);
}

} // namespace

namespace {

// As HTA sums it up: edges of its longest path by what bounds them.
Result<ReportTable> htaPathTable(const ReportInput& input, ReportTable table, JobControl& job) {
    HtaOptions options = HtaOptions::hta();
    const auto path = htaCriticalPath(input.trace, options, input.options.range, job);
    if (!path)
        return path.error();
    std::int64_t whole = 0;
    for (const std::int64_t ns : path->boundNs)
        whole += ns;
    for (std::size_t bound = 0; bound < kHtaBounds; ++bound) {
        if (path->edgesByBound[bound] == 0)
            continue;
        const auto name = htaBoundName(static_cast<HtaBound>(bound));
        table.addRow()
            .text(name.empty() ? "dependency" : name)
            .ns(path->boundNs[bound])
            .ratio(100 * path->boundNs[bound], whole)
            .integer(static_cast<std::int64_t>(path->edgesByBound[bound]))
            .empty()
            .empty();
    }
    table.addNote(path->pathNodes == 0 ? std::string(kNoPath)
                                       : "HTA's graph has " + std::to_string(path->nodes) + " nodes and " +
                                             std::to_string(path->edges) + " edges, its path " +
                                             std::to_string(path->pathNodes) +
                                             " nodes. Times are in whole us where the file has fractions.");
    return table;
}

} // namespace

Result<ReportTable> criticalPath(const ReportInput& input, JobControl& job) {
    ReportTable table({textColumn("Kind"), nsColumn("Time (ns)"), decimalColumn("Share (%)", 1),
                       integerColumn("Pieces"), nsColumn("Longest (ns)"), textColumn("Longest Piece")});
    if (input.options.definition == ReportDefinition::Hta)
        return htaPathTable(input, std::move(table), job);
    const auto found = pathOf(input, job);
    if (!found)
        return found.error();
    std::array<std::int64_t, kPathKinds> pieces{};
    std::array<const PathPiece*, kPathKinds> longest{};
    RowPoll poll(job);
    for (const PathPiece& piece : found->path.pieces) {
        if (!poll.tick())
            return cancelledError();
        const auto kind = static_cast<std::size_t>(piece.kind);
        ++pieces[kind];
        if (longest[kind] == nullptr || longest[kind]->range.length() < piece.range.length())
            longest[kind] = &piece;
    }
    std::array<std::size_t, kPathKinds> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return found->path.ns[a] > found->path.ns[b]; });
    const auto whole = static_cast<double>(found->path.range().length().v);
    for (const std::size_t kind : order)
        if (longest[kind] != nullptr)
            table.addRow()
                .text(pathKindName(static_cast<PathKind>(kind)))
                .ns(found->path.ns[kind])
                .decimal(100.0 * static_cast<double>(found->path.ns[kind]) / whole)
                .integer(pieces[kind])
                .ns(longest[kind]->range.length().v)
                .text(pathName(input.trace, longest[kind]->event));
    table.addNote(table.rows() == 0 ? kNoPath
                                    : "The times sum to the path, which ends with the last device operation. "
                                      "critical_path_trace lists its pieces.");
    return table;
}

Result<ReportTable> criticalPathTrace(const ReportInput& input, JobControl& job) {
    const auto found = pathOf(input, job);
    if (!found)
        return found.error();
    ReportTable table({nsColumn("Start (ns)"), nsColumn("Duration (ns)"), textColumn("Kind"),
                       textColumn("Name"), textColumn("Where")});
    RowPoll poll(job);
    for (const PathPiece& piece : found->path.pieces) {
        if (!poll.tick())
            return cancelledError();
        table.addRow()
            .ns(piece.range.begin.v)
            .ns(piece.range.length().v)
            .text(pathKindName(piece.kind))
            .text(pathName(input.trace, piece.event))
            .text(placeOfPiece(input.trace, piece));
    }
    if (table.rows() == 0)
        table.addNote(kNoPath);
    return table;
}

Result<ReportTable> kernelExposure(const ReportInput& input, JobControl& job) {
    const auto found = pathOf(input, job);
    if (!found)
        return found.error();
    const auto names = lacuna::kernelExposure(*found->model, found->path, job, input.options.range);
    if (!names)
        return names.error();
    ReportTable table({integerColumn("Device"), textColumn("Name"), integerColumn("Count"),
                       nsColumn("Total (ns)"), nsColumn("On Path (ns)"), nsColumn("Exposed (ns)"),
                       nsColumn("Overlapped (ns)")});
    for (const NameExposure& name : *names)
        if (const std::int64_t ordinal = ordinalOf(input.trace, name.device);
            !input.options.device || ordinal == *input.options.device)
            table.addRow()
                .integer(ordinal)
                .text(input.trace.strings().view(name.name))
                .integer(static_cast<std::int64_t>(name.count))
                .ns(name.totalNs)
                .ns(name.pathNs)
                .ns(name.exposedNs)
                .ns(name.overlappedNs());
    table.addNote(table.rows() == 0 ? "The trace has no device work."
                                    : "Exposed: no other operation of the device ran. On Path: part of the "
                                      "chain that decided when the last operation ended.");
    return table;
}

} // namespace lacuna::reports
