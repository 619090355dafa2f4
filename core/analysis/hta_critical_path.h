#pragma once
// The critical path as Holistic Trace Analysis builds it (analysis.md 2.1): a graph of the starts and ends of
// operators, CUDA calls and device rows, its edges weighted by time, and the longest weighted path through
// it. criticalPath() is ours, and exact; this one is for comparison with figures that were made with HTA.

#include "core/analysis/hta.h"

namespace lacuna {

enum class HtaEdge : std::uint8_t { Operator, Dependency, LaunchDelay, KernelDelay, SyncDependency };
inline constexpr std::size_t kHtaEdges = 5;
std::string_view htaEdgeName(HtaEdge type); // "critical_path_operator"

enum class HtaBound : std::uint8_t { None, Cpu, GpuCompute, GpuCommunication, KernelDelay, LaunchDelay };
inline constexpr std::size_t kHtaBounds = 6;
std::string_view htaBoundName(HtaBound bound); // "cpu_bound"; None: ""

struct HtaCriticalPath {
    std::size_t nodes = 0, edges = 0;
    std::array<std::size_t, kHtaEdges> edgesByType{}; // of the graph
    std::size_t pathNodes = 0, pathEvents = 0;
    std::array<std::size_t, kHtaEdges> pathEdgesByType{}; // of the path
    std::array<std::int64_t, kHtaEdges> pathNs{};
    std::array<std::size_t, kHtaBounds> edgesByBound{}; // of the path
    std::array<std::int64_t, kHtaBounds> boundNs{};
};

// window: host rows that start in it, both ends included, and the device rows that their calls launched
// (HTA: of an annotation); none: all. Launch edges of weight 0 are added as that tool does by default. Of the
// options wholeUs and dropLastStep count. O(n log n). Error: Cancelled.
Result<HtaCriticalPath> htaCriticalPath(const Trace& trace, const HtaOptions& options,
                                        std::optional<TimeRange> window, JobControl& job);

} // namespace lacuna
