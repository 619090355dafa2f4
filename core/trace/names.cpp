// Names of the enumerations, as they appear in JSON output, keys and tests.

#include "core/trace/api_name.h"
#include "core/trace/event_table.h"
#include "core/trace/import_report.h"
#include "core/trace/lane.h"

#include <cctype>

namespace lacuna {

std::string_view kindName(EventKind kind) {
    switch (kind) {
    case EventKind::CpuOp:
        return "operator";
    case EventKind::RuntimeApi:
        return "runtime";
    case EventKind::DriverApi:
        return "driver";
    case EventKind::Kernel:
        return "kernel";
    case EventKind::Memcpy:
        return "memcpy";
    case EventKind::Memset:
        return "memset";
    case EventKind::GraphLaunch:
        return "graph";
    case EventKind::Sync:
        return "sync";
    case EventKind::Range:
        return "range";
    case EventKind::GpuRange:
        return "gpu_range";
    case EventKind::Python:
        return "python";
    case EventKind::OsRuntime:
        return "os_runtime";
    case EventKind::Overhead:
        return "overhead";
    case EventKind::Async:
        return "async";
    case EventKind::Counter:
        return "counter";
    case EventKind::Instant:
        return "instant";
    case EventKind::Other:
        return "other";
    case EventKind::Metadata:
        return "metadata";
    case EventKind::Flow:
        return "flow";
    }
    return "other";
}

std::string_view laneKindName(LaneKind kind) {
    switch (kind) {
    case LaneKind::Steps:
        return "steps";
    case LaneKind::Range:
        return "range";
    case LaneKind::Python:
        return "python";
    case LaneKind::CpuThread:
        return "cpu_thread";
    case LaneKind::CudaApi:
        return "cuda_api";
    case LaneKind::OsRuntime:
        return "os_runtime";
    case LaneKind::Async:
        return "async";
    case LaneKind::Marks:
        return "marks";
    case LaneKind::Overhead:
        return "overhead";
    case LaneKind::GpuRange:
        return "gpu_range";
    case LaneKind::GpuStream:
        return "gpu_stream";
    case LaneKind::GpuSync:
        return "gpu_sync";
    case LaneKind::Counter:
        return "counter";
    }
    return "other";
}

std::string_view severityName(Severity severity) {
    switch (severity) {
    case Severity::Info:
        return "info";
    case Severity::Warning:
        return "warning";
    case Severity::Error:
        return "error";
    }
    return "info";
}

std::string_view stripApiVersion(std::string_view name) {
    if (!name.starts_with("cuda"))
        return name;
    std::string_view head = name;
    for (const std::string_view tail : {"_ptsz", "_ptds"})
        if (head.ends_with(tail))
            head.remove_suffix(tail.size());
    const std::size_t at = head.rfind("_v");
    if (at == std::string_view::npos)
        return name;
    const std::string_view digits = head.substr(at + 2);
    if (digits.size() < 4 || digits.size() > 5)
        return name;
    for (const char c : digits)
        if (std::isdigit(static_cast<unsigned char>(c)) == 0)
            return name;
    return head.substr(0, at);
}

} // namespace lacuna
