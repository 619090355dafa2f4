#pragma once
// Kernels as a table shows them: one row a launch configuration, or those of a name, a function or a family
// together, with the statistics of all their launches.

#include "core/analysis/kernel_groups.h"

#include <cstdint>
#include <vector>

namespace lacuna {

enum class KernelGrouping : std::uint8_t {
    Configuration, // name, grid, block, registers, shared memory: KernelGroup
    Name,          // the whole name
    Function,      // the bare function, whatever its template arguments
    Family,
};

struct KernelBundle {
    std::vector<std::size_t> groups; // of KernelGroups::groups, the largest total first; one device
    std::vector<EventId> instances;  // of all of them, by start
    std::uint64_t count = 0;
    std::int64_t totalNs = 0, minNs = 0, maxNs = 0; // of all launches
    // Lower median and nearest rank, without first launches that stand apart.
    std::int64_t medianNs = 0, p95Ns = 0;
    double share = 0; // of the kernel time of the device
    // First launches that took kFirstLaunchFactor times the median of their group or more, one a group.
    std::uint64_t firstApart = 0;
    std::int64_t firstApartNs = 0; // their sum
};

// By total descending, then in the order of the groups. O(n log n). Error: Cancelled.
Result<std::vector<KernelBundle>> bundleKernels(const KernelGroups& kernels, KernelGrouping grouping,
                                                JobControl& job);

} // namespace lacuna
