#include "core/analysis/kernel_work.h"

#include "core/analysis/kernel_callers.h"

#include <algorithm>

namespace lacuna {

namespace {

constexpr std::uint32_t kRowsLookedAt = 10'000; // of one operator

// Kernels whose launching call has the operator as its nearest one.
std::vector<EventId> kernelsOf(const Trace& trace, const HostTree& tree, EventId op) {
    std::vector<EventId> kernels;
    const EventTable& events = trace.events();
    const HostRow from = tree.find(op);
    const ThreadId thread = tree.threadOf(op);
    if (!from || !thread)
        return kernels;
    const std::uint32_t last = std::min(tree.part(thread).lastRow, from.v + kRowsLookedAt);
    for (HostRow row{from.v + 1}; row.v < last && tree.range(row).begin < events.range(op).end; ++row.v) {
        const EventId call = tree.event(row);
        if (!isHostCall(events.kind[call.v]) || events.correlation[call.v] == 0 ||
            tree.enclosing(row, EventKind::CpuOp) != from)
            continue;
        for (const EventId launched : trace.correlations().deviceOps(events.correlation[call.v]))
            if (events.kind[launched.v] == EventKind::Kernel)
                kernels.push_back(launched);
    }
    return kernels;
}

} // namespace

std::string_view workCertaintyName(WorkCertainty certainty) {
    return certainty == WorkCertainty::Counted ? "counted" : "likely";
}

std::optional<KernelWork> kernelWork(const Trace& trace, const HostTree& tree, DetailReader* details,
                                     EventId kernel) {
    const KernelCaller caller = callerOf(trace, tree, kernel);
    if (!caller.op || details == nullptr)
        return std::nullopt;
    const auto recorded = details->read({trace.events().source[caller.op.v]});
    if (!recorded)
        return std::nullopt;
    auto work = operatorWork(trace.nameOf(caller.op), operatorShapes(*recorded));
    if (!work)
        return std::nullopt;
    const std::vector<EventId> kernels = kernelsOf(trace, tree, caller.op);
    const auto longest = std::max_element(kernels.begin(), kernels.end(), [&](EventId a, EventId b) {
        return trace.events().duration(a) < trace.events().duration(b);
    });
    if (longest == kernels.end() || *longest != kernel)
        return std::nullopt;
    KernelWork result{
        caller.op, *std::move(work), WorkCertainty::Counted, {}, trace.events().duration(kernel).v};
    if (kernels.size() > 1) {
        result.certainty = WorkCertainty::Likely;
        result.why = "the operator launched " + std::to_string(kernels.size()) +
                     " kernels; the longest is taken to do its work";
    } else if (result.work.isAssumed) {
        result.certainty = WorkCertainty::Likely;
        result.why = result.work.assumption;
    }
    return result;
}

} // namespace lacuna
