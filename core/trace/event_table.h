#pragma once
// The rows of a trace as a struct of arrays. Rows are ordered by (lane, strip, begin); an EventId is a row
// number. What the timeline does not draw (args) stays in the file: `source` says where.

#include "core/base/column.h"
#include "core/base/ids.h"
#include "core/base/time.h"

#include <cstdint>
#include <string_view>

namespace lacuna {

enum class EventKind : std::uint8_t {
    CpuOp,       // framework operator
    RuntimeApi,  // CUDA/HIP runtime call
    DriverApi,   // driver call
    Kernel,      // device kernel
    Memcpy,      // device copy
    Memset,      // device memset
    GraphLaunch, // whole-graph row on a device (Nsight graph mode): device work
    Sync,        // synchronisation or event-record marker: host time drawn with the device, no device work
    Range,       // host annotation: record_function, NVTX push/pop and start/end, ProfilerStep
    GpuRange,    // projection of a range on a stream: no device work
    Python,      // Python frame
    OsRuntime,   // libc call
    Overhead,    // profiler or CUDA overhead (lazy loading, buffer flush, ...)
    Async,       // async begin/end pair of a Chrome trace
    Counter,     // counter sample (values are in Trace::counters(), not in the table)
    Instant,     // mark without duration
    Other,       // anything else with a duration, on its thread
    // Counted in the import report only, never in the table:
    Metadata,
    Flow,
};
inline constexpr std::size_t kEventKinds = static_cast<std::size_t>(EventKind::Flow) + 1;

// Names in JSON output (contract.md, rows.by_kind): "operator", "runtime", "kernel", ...
std::string_view kindName(EventKind kind);

constexpr bool isDeviceOp(EventKind k) {
    return k == EventKind::Kernel || k == EventKind::Memcpy || k == EventKind::Memset ||
           k == EventKind::GraphLaunch;
}
constexpr bool isHostCall(EventKind k) {
    return k == EventKind::RuntimeApi || k == EventKind::DriverApi;
}

struct EventTable {
    Column<std::int64_t> beginNs, endNs; // since time zero; end >= begin
    Column<StringId> name;
    Column<EventKind> kind;
    Column<std::uint32_t> correlation; // group of the CorrelationIndex; 0 = none
    Column<std::uint64_t> source;      // SourceRef bits; ascending = order in the file

    std::size_t size() const { return beginNs.size(); }
    TimeRange range(EventId e) const { return {{beginNs[e.v]}, {endNs[e.v]}}; }
    DurationNs duration(EventId e) const { return {endNs[e.v] - beginNs[e.v]}; }
};

// Where a row stands in its file. Chrome JSON: byte offset of its '{' in the unpacked text. SQLite: index of
// the table in the importer's list and the rowid.
struct SourceRef {
    std::uint64_t bits = 0;
    static constexpr SourceRef offset(std::uint64_t byte) { return {byte}; }
    static constexpr SourceRef row(std::uint32_t table, std::int64_t rowid) {
        return {(static_cast<std::uint64_t>(table) << 48) |
                (static_cast<std::uint64_t>(rowid) & 0xffffffffffffull)};
    }
    constexpr std::uint32_t table() const { return static_cast<std::uint32_t>(bits >> 48); }
    constexpr std::int64_t rowid() const { return static_cast<std::int64_t>(bits & 0xffffffffffffull); }
};

} // namespace lacuna
