#pragma once
// Lanes: one horizontal band of the timeline. A lane is one strip per nesting depth; a strip is a contiguous
// run of rows that are sorted and pairwise disjoint, so begin and end are both ascending inside a strip and
// every question (what is visible, what is under the pointer, what comes next) is a binary search.

#include "core/base/ids.h"

#include <cstdint>
#include <string_view>

namespace lacuna {

enum class LaneKind : std::uint8_t {
    Steps,     // ProfilerStep marks of a process
    Range,     // annotations / NVTX of a thread
    Python,    // Python frames of a thread
    CpuThread, // operators (and rows of foreign traces) of a thread
    CudaApi,   // runtime and driver calls of a thread
    OsRuntime, // libc calls of a thread
    Async,     // async pairs of a process
    Marks,     // instants
    Overhead,  // profiler overhead
    GpuRange,  // ranges projected on a stream
    GpuStream, // device work of a stream
    GpuSync,   // synchronisation markers of a stream
    Counter,   // one counter track
};

// 7-bit-clean identifier for keys, tests and goldens: "gpu_stream".
std::string_view laneKindName(LaneKind kind);

// Lanes of a stream; every other lane belongs to the host or to a counter.
constexpr bool isDeviceLane(LaneKind kind) {
    return kind == LaneKind::GpuStream || kind == LaneKind::GpuRange || kind == LaneKind::GpuSync;
}

struct Strip {
    EventId first, last; // [first, last): sorted, disjoint; never empty
    LaneId lane;
    std::uint32_t size() const { return last.v - first.v; }
};

struct Lane {
    LaneKind kind = LaneKind::CpuThread;
    StringId title;            // from the file's metadata where it tells one
    ProcessId process;         // none for device lanes whose process is unknown
    ThreadId thread;           // host lanes
    DeviceId device;           // device lanes
    std::int64_t sourceId = 0; // stream number for device lanes, thread number for host lanes
    CounterId counter;         // Counter lanes
    StripId firstStrip;
    std::uint32_t depth = 0; // number of strips; 0 for counters
};

} // namespace lacuna
