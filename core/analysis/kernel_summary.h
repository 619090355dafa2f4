#pragma once
// Device work by full name: kernels with their times, copies and memsets with their bytes.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace lacuna {

struct KernelTime {
    StringId name;
    std::uint64_t count = 0;
    std::int64_t sumNs = 0, minNs = 0, maxNs = 0;
};

struct MemoryOpTime {
    StringId name;
    std::uint64_t count = 0;
    std::int64_t bytes = 0; // of the rows that tell them
    std::int64_t sumNs = 0;
};

struct KernelSummary {
    std::vector<KernelTime> kernels;     // whole-graph rows included; by sum descending, then name
    std::vector<MemoryOpTime> memoryOps; // copies and memsets; by name
};

// O(n + names log names). Error: Cancelled.
Result<KernelSummary> summariseKernels(const Trace& trace, DeviceId device, JobControl& job);

} // namespace lacuna
