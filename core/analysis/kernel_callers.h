#pragma once
// Who launched kernels: the nearest operator above the launching call, and the innermost range that contains
// it (record_function, NVTX; steps are left to themselves).

#include "core/analysis/host_tree.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace lacuna {

struct KernelCaller {
    EventId call; // none: the launch was not recorded
    EventId op, range;
};

// O(log rows + levels).
KernelCaller callerOf(const Trace& trace, const HostTree& tree, EventId kernel);

using NameCounts = std::vector<std::pair<StringId, std::uint64_t>>;
struct KernelCallers {
    NameCounts operators, ranges; // most launches first, then by name id
    // Operators of the form aten::_scaled_dot_product_..., anywhere above the call: they tell which attention
    // implementation was dispatched to, also where its kernels are plain GEMMs and a softmax ("math").
    NameCounts attention;
    std::uint64_t withoutOperator = 0, withoutRange = 0, withoutCall = 0; // of the recorded calls; of all
};

// Sums over kernels; made once for a trace.
class CallerSums {
public:
    // O(names). Both must outlive this.
    CallerSums(const Trace& trace, const HostTree& tree);
    // Of some kernels together. O(kernels x log rows). Error: Cancelled.
    Result<KernelCallers> of(std::span<const EventId> kernels, JobControl& job) const;

private:
    EventId attentionAbove(EventId op) const;

    const Trace& m_trace;
    const HostTree& m_tree;
    std::vector<bool> m_isAttention; // by name; empty: the trace has no such operators
};

} // namespace lacuna
