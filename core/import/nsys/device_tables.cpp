// Work that ran on a GPU: kernels, copies, memsets and whole graphs.

#include "core/import/nsys/device_lanes.h"

#include <algorithm>
#include <unordered_map>

namespace lacuna::nsys {

namespace {

// Columns that all device tables start with, in this order.
struct Common { // columns of all four tables
    enum Column { Begin, End, Device, Context, Stream, Correlation, Pid, FirstOwn };
};

struct Work {
    Interval time;
    std::optional<std::int64_t> pid;
    std::int64_t ordinal = 0, context = 0, stream = 0;
    std::uint64_t correlation = 0;
};

// The common part; none when the row was dropped. Reduced exports lack device, context or stream: 0 then.
std::optional<Work> readWork(NsysReader& reader, TableRows& rows) {
    const auto time = rows.interval(true);
    if (!time)
        return std::nullopt;
    Work work;
    work.time = *time;
    work.pid = rows.integer(Common::Pid);
    work.ordinal = rows.integerOr(Common::Device, 0);
    work.context = rows.integerOr(Common::Context, 0);
    work.stream = rows.integerOr(Common::Stream, 0);
    work.correlation = reader.correlation(work.pid, rows.integer(Common::Correlation));
    return work;
}

std::uint32_t addWork(NsysReader& reader, TableRows& rows, const Work& work, LaneId lane, StringId name,
                      EventKind kind) {
    rows.keep(kind);
    return reader.builder.add(
        {lane, work.time.begin, work.time.end, name, kind, work.correlation, rows.source()});
}

// graphNodeId: upper half = executable graph, lower half = node (nsys.md section 5).
void setGraphNode(NsysReader& reader, std::uint32_t row, std::optional<std::int64_t> node,
                  std::optional<std::int64_t> graph) {
    if (!node || *node == 0)
        return;
    const auto bits = static_cast<std::uint64_t>(*node);
    GraphArgs args;
    args.graph = bits >> 32 != 0 ? bits >> 32 : static_cast<std::uint64_t>(graph.value_or(0));
    args.node = bits;
    reader.builder.setGraph(row, args);
}

void loadKernels(NsysReader& reader, DeviceLanes& lanes) {
    enum Own { Demangled = Common::FirstOwn, Short, GraphNode, Graph };
    TableRows rows(reader, "CUPTI_ACTIVITY_KIND_KERNEL",
                   {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                    "demangledName", "shortName", "graphNodeId", "graphId"});
    while (rows.next()) {
        const auto work = readWork(reader, rows);
        if (!work)
            continue;
        const auto nameId = rows.integer(Demangled) ? rows.integer(Demangled) : rows.integer(Short);
        const StringId name = reader.name(nameId, "(kernel without name)", rows);
        const LaneId lane = lanes.stream(work->pid, work->ordinal, work->context, work->stream);
        const std::uint32_t row = addWork(reader, rows, *work, lane, name, EventKind::Kernel);
        setGraphNode(reader, row, rows.integer(GraphNode), rows.integer(Graph));
    }
}

MemKind memKind(std::optional<std::int64_t> value) {
    return value && *value >= 0 && *value <= 7 ? static_cast<MemKind>(*value) : MemKind::Unknown;
}

void loadCopies(NsysReader& reader, DeviceLanes& lanes) {
    enum Own { Bytes = Common::FirstOwn, Kind, Source, Destination, GraphNode };
    TableRows rows(reader, "CUPTI_ACTIVITY_KIND_MEMCPY",
                   {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                    "bytes", "copyKind", "srcKind", "dstKind", "graphNodeId"});
    std::unordered_map<std::int64_t, StringId> names;
    while (rows.next()) {
        const auto work = readWork(reader, rows);
        if (!work)
            continue;
        const std::int64_t kind = rows.integerOr(Kind, 0);
        StringId& name = names[kind];
        if (!name) {
            const std::string_view label = reader.labels.label("ENUM_CUDA_MEMCPY_OPER", kind);
            const std::string text = label.empty() ? "kind " + std::to_string(kind) : std::string(label);
            name = reader.builder.strings().intern("[CUDA memcpy " + text + "]");
        }
        CopyArgs args;
        args.bytes = std::max<std::int64_t>(0, rows.integerOr(Bytes, 0));
        args.kind = kind >= 0 && kind <= 13 ? static_cast<CopyKind>(kind) : CopyKind::Unknown;
        args.src = memKind(rows.integer(Source));
        args.dst = memKind(rows.integer(Destination));
        const bool unified = args.kind >= CopyKind::UnifiedHtoD && args.kind <= CopyKind::UnifiedDtoD;
        const LaneId lane = unified && work->stream == 0
                                ? lanes.unifiedMemory(work->pid, work->ordinal)
                                : lanes.stream(work->pid, work->ordinal, work->context, work->stream);
        const std::uint32_t row = addWork(reader, rows, *work, lane, name, EventKind::Memcpy);
        reader.builder.setCopy(row, args);
        setGraphNode(reader, row, rows.integer(GraphNode), std::nullopt);
    }
}

void loadMemsets(NsysReader& reader, DeviceLanes& lanes) {
    enum Own { Bytes = Common::FirstOwn, Kind, GraphNode };
    TableRows rows(reader, "CUPTI_ACTIVITY_KIND_MEMSET",
                   {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                    "bytes", "memKind", "graphNodeId"});
    const StringId name = reader.builder.strings().intern("[CUDA memset]");
    while (rows.next()) {
        const auto work = readWork(reader, rows);
        if (!work)
            continue;
        CopyArgs args;
        args.bytes = std::max<std::int64_t>(0, rows.integerOr(Bytes, 0));
        args.kind = CopyKind::Set;
        args.dst = memKind(rows.integer(Kind));
        const LaneId lane = lanes.stream(work->pid, work->ordinal, work->context, work->stream);
        const std::uint32_t row = addWork(reader, rows, *work, lane, name, EventKind::Memset);
        reader.builder.setCopy(row, args);
        setGraphNode(reader, row, rows.integer(GraphNode), std::nullopt);
    }
}

void loadGraphLaunches(NsysReader& reader, DeviceLanes& lanes) {
    enum Own { Graph = Common::FirstOwn, Executable };
    TableRows rows(reader, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                   {"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid",
                    "graphId", "graphExecId"});
    std::uint64_t launches = 0;
    while (rows.next()) {
        const auto work = readWork(reader, rows);
        if (!work)
            continue;
        const auto graph = rows.integer(Executable) ? rows.integer(Executable) : rows.integer(Graph);
        const StringId name = reader.builder.strings().intern(
            graph ? "[CUDA graph " + std::to_string(*graph) + "]" : std::string("[CUDA graph]"));
        const LaneId lane = lanes.stream(work->pid, work->ordinal, work->context, work->stream);
        const std::uint32_t row = addWork(reader, rows, *work, lane, name, EventKind::GraphLaunch);
        GraphArgs args;
        args.graph = static_cast<std::uint64_t>(graph.value_or(0));
        reader.builder.setGraph(row, args);
        ++launches;
    }
    reader.report.note(
        "graph_kernels_hidden",
        "CUDA graph launches were recorded as a whole, without their kernels; capture with nsys profile "
        "--cuda-graph-trace=node to see them.",
        {{}, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", 1}, Severity::Info, launches);
}

} // namespace

void loadDeviceWork(NsysReader& reader, DeviceLanes& lanes) {
    loadKernels(reader, lanes);
    loadCopies(reader, lanes);
    loadMemsets(reader, lanes);
    loadGraphLaunches(reader, lanes);
}

} // namespace lacuna::nsys
