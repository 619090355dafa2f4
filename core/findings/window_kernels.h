#pragma once
// Kernels that begin in the window, by name.

#include "core/findings/context.h"

#include <span>
#include <vector>

namespace lacuna::findings {

struct KernelUse {
    StringId name;
    std::size_t count = 0, tiny = 0;
    std::int64_t ns = 0, tinyNs = 0;
    EventId first, longest;
};

struct WindowKernels {
    std::vector<KernelUse> kernels; // whole-graph rows included; by time, longest first
    std::size_t count = 0, tiny = 0;
    std::int64_t ns = 0, tinyNs = 0; // sums of durations
};

// tiny: shorter than this. O(rows of the devices).
WindowKernels kernelsOfWindow(const FindingContext& context, std::int64_t tinyNs, JobControl& job);

// The rows of each of a few names, of the tiny ones alone unless tinyNs is 0; of a name with more than a
// sentence keeps (Evidence::kMostRows) one more than that. O(rows of the devices).
std::vector<std::vector<EventId>> rowsOfKernels(const FindingContext& context,
                                                std::span<const StringId> names, std::int64_t tinyNs,
                                                JobControl& job);
// Those of all names that are tiny, in the same way.
std::vector<EventId> tinyRows(const FindingContext& context, std::int64_t tinyNs, JobControl& job);

} // namespace lacuna::findings
