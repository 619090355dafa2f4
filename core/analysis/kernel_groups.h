#pragma once
// Kernels of a trace by device, name and launch configuration: count, total, share, median, p95, extremes.
// One kernel in two shapes is two groups (features.md C63). Medians are lower ones, percentiles of the
// nearest rank, as for steps.

#include "core/analysis/kernel_family.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/import/launch_configs.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lacuna {

// The first launch counts apart when it took so many times the median of the others: it then holds what is
// done once (loading of code, caches that are cold).
inline constexpr std::int64_t kFirstLaunchFactor = 10;

struct KernelGroup {
    StringId name;
    DeviceId device;
    std::uint32_t config = LaunchConfigs::kUnknown; // number in KernelGroups::configs
    KernelClass kind;
    std::uint64_t count = 0;
    std::int64_t totalNs = 0, minNs = 0, maxNs = 0; // of all launches
    std::int64_t medianNs = 0, p95Ns = 0;           // without an outstanding first launch
    double share = 0;                               // of the time of all kernels of the device; 0 to 1
    std::int64_t firstNs = 0;                       // of the first launch
    bool isFirstApart = false;
    std::size_t firstInstance = 0;
    // Launches of the same function before the first of this group, in the order of start on any device: what
    // a profiler has to skip.
    std::uint64_t launchesBefore = 0;
};

struct KernelGroups {
    std::shared_ptr<const Trace> trace;
    LaunchConfigs configs;
    std::vector<KernelGroup> groups; // by total descending, then device, name, configuration
    std::vector<EventId> instances;  // of the groups one after another, each by start

    std::span<const EventId> instancesOf(const KernelGroup& group) const {
        return std::span(instances).subspan(group.firstInstance, group.count);
    }
    const LaunchConfig& configOf(const KernelGroup& group) const { return configs.configs()[group.config]; }
    std::string_view nameOf(const KernelGroup& group) const { return trace->strings().view(group.name); }
};

// range: only launches that overlap it, uncut; launchesBefore still counts all. O(n log n) over the kernels.
// Error: Cancelled.
Result<KernelGroups> groupKernels(std::shared_ptr<const Trace> trace, LaunchConfigs configs, JobControl& job,
                                  std::optional<TimeRange> range = {});

} // namespace lacuna
