// Calls of host threads: CUDA API, OS runtime, overheads, libraries, and the marks of graph creation.

#include "core/import/nsys/nsys_reader.h"

#include <algorithm>
#include <string>

namespace lacuna::nsys {

void loadApi(NsysReader& reader) {
    enum Column { Begin, End, Class, Tid, Correlation, Name };
    const bool callsAreAsked = reader.hasRows("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION") ||
                               reader.hasRows("CUPTI_ACTIVITY_KIND_CUDA_EVENT");
    TableRows rows(reader, "CUPTI_ACTIVITY_KIND_RUNTIME",
                   {"start", "end", "eventClass", "globalTid", "correlationId", "nameId"});
    bool severalProcesses = false;
    while (rows.next()) {
        const auto time = rows.interval(false);
        if (!time)
            continue;
        const auto tid = rows.integer(Tid);
        if (tid && !severalProcesses && reader.onlyApiProcess != processKey(*tid)) {
            severalProcesses = reader.onlyApiProcess.has_value();
            reader.onlyApiProcess = severalProcesses ? std::nullopt : std::optional(processKey(*tid));
        }
        const EventKind kind = rows.integerOr(Class, 0) == 1 ? EventKind::DriverApi : EventKind::RuntimeApi;
        const StringId name = reader.name(rows.integer(Name), "(CUDA call without name)", rows);
        const std::uint64_t correlation = tid ? reader.correlation(tid, rows.integer(Correlation)) : 0;
        const std::uint32_t row = reader.builder.add({reader.hostLane(LaneKind::CudaApi, tid), time->begin,
                                                      time->end, name, kind, correlation, rows.source()});
        rows.keep(kind);
        if (callsAreAsked && correlation != 0)
            reader.apiCalls.push_back(row);
    }
    const auto byCorrelation = [&builder = reader.builder](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t first = builder.correlationOf(a), second = builder.correlationOf(b);
        return first != second ? first < second : a < b;
    };
    if (!std::is_sorted(reader.apiCalls.begin(), reader.apiCalls.end(), byCorrelation))
        std::sort(reader.apiCalls.begin(), reader.apiCalls.end(), byCorrelation);
}

void loadOsRuntime(NsysReader& reader) {
    enum Column { Begin, End, Class, Tid, Name };
    constexpr std::int64_t kLoneStart = 31, kLoneFinish = 32; // the other half of the call was not caught
    for (const std::string_view table : {"OSRT_API", "SYSCALL"}) {
        TableRows rows(reader, table, {"start", "end", "eventClass", "globalTid", "nameId"});
        while (rows.next()) {
            const auto time = rows.interval(false);
            if (!time)
                continue;
            const auto tid = rows.integer(Tid);
            const StringId name = reader.name(rows.integer(Name), "(OS call without name)", rows);
            const std::int64_t eventClass = rows.integerOr(Class, 0);
            const bool lone = eventClass == kLoneStart || eventClass == kLoneFinish;
            const EventKind kind = lone ? EventKind::Instant : EventKind::OsRuntime;
            const LaneId lane = lone ? reader.hostLane(LaneKind::Marks, tid, "half-recorded OS calls")
                                     : reader.hostLane(LaneKind::OsRuntime, tid);
            // A lone marker has no length of its own.
            reader.builder.add(
                {lane, time->begin, lone ? time->begin : time->end, name, kind, 0, rows.source()});
            rows.keep(kind);
            reader.builder.facts().osRuntimeRecorded = true;
            if (lone)
                reader.report.note(
                    "half_recorded_os_call",
                    "OS calls of which only the start or the end was recorded are shown as marks.",
                    rows.place());
        }
    }
}

void loadOverhead(NsysReader& reader) {
    enum Column { Begin, End, Tid, Name, Type };
    for (const std::string_view table : {"CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"}) {
        TableRows rows(reader, table, {"start", "end", "globalTid", "nameId", "overheadType"});
        while (rows.next()) {
            const auto time = rows.interval(false);
            if (!time)
                continue;
            const std::string_view type =
                reader.labels.label("ENUM_CUPTI_OVERHEAD_TYPE", rows.integerOr(Type, 0));
            const StringId name = reader.name(rows.integer(Name), type.empty() ? "Overhead" : type, rows);
            reader.builder.add({reader.hostLane(LaneKind::Overhead, rows.integer(Tid)), time->begin,
                                time->end, name, EventKind::Overhead, 0, rows.source()});
            rows.keep(EventKind::Overhead);
        }
    }
}

// Calls of libraries and programming models. cuBLAS and cuDNN calls are operators to the timeline: they
// submit the kernels; the others are rows of their thread.
void loadLibraryCalls(NsysReader& reader) {
    enum Column { Begin, End, Tid, Name, Text };
    for (const std::string& table : reader.tables) {
        const bool isOperator = table == "CUBLAS_EVENTS" || table == "CUDNN_EVENTS";
        const std::string_view view = table;
        const bool isModel = view.substr(0, 4) == "MPI_" || view.substr(0, 4) == "UCP_" ||
                             view.substr(0, 7) == "OPENMP_" || view.find("OPENACC") != std::string_view::npos;
        if (!isOperator && !isModel)
            continue;
        const EventKind kind = isOperator ? EventKind::CpuOp : EventKind::Other;
        TableRows rows(reader, table, {"start", "end", "globalTid", "nameId", "textId"});
        while (rows.next()) {
            const auto nameId = rows.integer(Name) ? rows.integer(Name) : rows.integer(Text);
            if (rows.isNull(End) && !rows.isNull(Begin)) { // OpenMP has kinds without end
                const auto at = rows.time();
                if (!at)
                    continue;
                const StringId name = reader.name(nameId, table, rows);
                reader.builder.add({reader.hostLane(LaneKind::Marks, rows.integer(Tid), "marks"), *at, *at,
                                    name, EventKind::Instant, 0, rows.source()});
                rows.keep(EventKind::Instant);
                continue;
            }
            const auto time = rows.interval(false);
            if (!time)
                continue;
            const StringId name = reader.name(nameId, table, rows);
            reader.builder.add({reader.hostLane(LaneKind::CpuThread, rows.integer(Tid)), time->begin,
                                time->end, name, kind, 0, rows.source()});
            rows.keep(kind);
        }
    }
}

// Creation of graphs and of their nodes: points in time on the thread that made the call.
void loadGraphMarks(NsysReader& reader) {
    enum Column { Begin, End, Tid, Name };
    for (const std::string_view table : {"CUDA_GRAPH_NODE_EVENTS", "CUDA_GRAPH_EVENTS"}) {
        TableRows rows(reader, table, {"start", "end", "globalTid", "nameId"});
        while (rows.next()) {
            const auto time = rows.interval(false);
            if (!time)
                continue;
            const EventKind kind = time->begin == time->end ? EventKind::Instant : EventKind::Other;
            const StringId name = reader.name(rows.integer(Name), "(graph event without name)", rows);
            reader.builder.add({reader.hostLane(LaneKind::Marks, rows.integer(Tid), "CUDA graph creation"),
                                time->begin, time->end, name, kind, 0, rows.source()});
            rows.keep(kind);
        }
    }
}

} // namespace lacuna::nsys
