#pragma once
// Host and device time per operator name: analysis.md section 3. A device operation belongs to the nearest
// operator above the host call that launched it (self), and once to every distinct operator name in that
// call's chain (total). Operations whose call has no operator above go to `outside`, those without a recorded
// call to `unlaunched`, so that nothing gets lost: the self device times of the rows, outside and unlaunched
// sum to the durations of all device operations.
//
// Which host rows count for nesting is the tree's choice: with Python frames in it, a frame inside an
// operator lowers the operator's self time.

#include "core/analysis/host_tree.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lacuna {

struct OperatorTime {
    StringId name;
    std::uint64_t calls = 0;
    std::int64_t hostSelfNs = 0;   // duration - direct children of any kind
    std::int64_t hostTotalNs = 0;  // plain sum of durations
    std::int64_t hostOnceNs = 0;   // recursion counted once: rows without an ancestor of the same name
    std::int64_t deviceSelfNs = 0; // sums of durations, copies and memsets included
    std::int64_t deviceTotalNs = 0;
    std::uint64_t kernels = 0;   // kernels launched directly, whole-graph rows included
    std::uint64_t deviceOps = 0; // kernels, copies and memsets launched directly
};

struct DeviceShare {
    std::uint64_t ops = 0;
    std::uint64_t kernels = 0; // of the ops
    std::int64_t ns = 0;
};

struct OpAttribution {
    std::vector<OperatorTime> rows; // by name id
    DeviceShare outside;            // the launching call has no operator above it
    DeviceShare unlaunched;         // no recorded launching call
};

// window: only operators that overlap it, with all they launched; the shares hold the device operations that
// overlap it. O(host rows + device operations x log host rows). Error: Cancelled.
Result<OpAttribution> attributeOperators(const Trace& trace, const HostTree& tree, JobControl& job,
                                         std::optional<TimeRange> window = {});

} // namespace lacuna
