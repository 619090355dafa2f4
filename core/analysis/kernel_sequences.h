#pragma once
// Kernels that operators launch in the same order again and again: the question of Holistic Trace Analysis'
// "frequent CUDA kernel sequences" (analysis.md section 2.1). What repeats is what a fusion or a CUDA graph
// would take in one go.

#include "core/analysis/host_tree.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lacuna {

struct KernelSequence {
    std::vector<StringId> names; // the operator, then its device operations by start
    std::int64_t count = 0;
    std::int64_t deviceNs = 0, hostNs = 0; // sums of the durations of operations and of operators
    EventId first;                         // the earliest operator
};

struct KernelSequenceOptions {
    std::string_view contains;       // in the operator's name; empty: any operator
    std::size_t atLeast = 3;         // operations
    bool shallowestOnly = false;     // HTA: only operators at the least depth of all that match
    std::optional<TimeRange> window; // operators that overlap it
};

// Of the outermost matching operator above each launching call. By count descending, then by the text of the
// names. O(n log n). Error: Cancelled.
Result<std::vector<KernelSequence>> kernelSequences(const Trace& trace, const HostTree& tree,
                                                    const KernelSequenceOptions& options, JobControl& job);

} // namespace lacuna
