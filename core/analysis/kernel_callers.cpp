#include "core/analysis/kernel_callers.h"

#include "core/trace/row_poll.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace lacuna {

namespace {

void countName(std::map<StringId, std::uint64_t>& counts, const Trace& trace, EventId event) {
    ++counts[trace.events().name[event.v]];
}

NameCounts mostFirst(const std::map<StringId, std::uint64_t>& counts) {
    NameCounts sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
}

} // namespace

KernelCaller callerOf(const Trace& trace, const HostTree& tree, EventId kernel) {
    KernelCaller caller;
    const auto call = trace.correlations().launchOf(trace.events(), kernel);
    if (!call)
        return caller;
    caller.call = *call;
    const HostRow row = tree.find(*call);
    if (!row)
        return caller;
    if (const HostRow op = tree.enclosing(row, EventKind::CpuOp))
        caller.op = tree.event(op);
    for (HostRow range = tree.enclosing(row, EventKind::Range); range;
         range = tree.enclosing(range, EventKind::Range)) {
        // A step holds everything: it says when, not who.
        if (trace.lane(trace.laneOf(tree.event(range))).kind == LaneKind::Steps)
            continue;
        caller.range = tree.event(range);
        break;
    }
    return caller;
}

CallerSums::CallerSums(const Trace& trace, const HostTree& tree) : m_trace(trace), m_tree(tree) {
    const StringPool& names = trace.strings();
    for (std::uint32_t id = 0; id < names.size(); ++id)
        if (names.view(StringId{id}).find("_scaled_dot_product_") != std::string_view::npos) {
            m_isAttention.resize(names.size());
            m_isAttention[id] = true;
        }
}

// The innermost attention operator from one operator upwards.
EventId CallerSums::attentionAbove(EventId op) const {
    constexpr int kLevels = 64;
    HostRow row = m_isAttention.empty() ? HostRow{} : m_tree.find(op);
    for (int level = 0; row && level < kLevels; ++level) {
        if (m_isAttention[m_trace.events().name[m_tree.event(row).v].v])
            return m_tree.event(row);
        row = m_tree.enclosing(row, EventKind::CpuOp);
    }
    return {};
}

Result<KernelCallers> CallerSums::of(std::span<const EventId> kernels, JobControl& job) const {
    std::map<StringId, std::uint64_t> operators, ranges, attention;
    KernelCallers callers;
    RowPoll poll(job);
    for (const EventId kernel : kernels) {
        if (!poll.tick(16)) // each looks through levels of the tree
            return cancelledError();
        const KernelCaller caller = callerOf(m_trace, m_tree, kernel);
        if (!caller.call) {
            ++callers.withoutCall;
            continue;
        }
        if (caller.op) {
            countName(operators, m_trace, caller.op);
            if (const EventId above = attentionAbove(caller.op))
                countName(attention, m_trace, above);
        } else {
            ++callers.withoutOperator;
        }
        if (caller.range)
            countName(ranges, m_trace, caller.range);
        else
            ++callers.withoutRange;
    }
    callers.operators = mostFirst(operators);
    callers.ranges = mostFirst(ranges);
    callers.attention = mostFirst(attention);
    return callers;
}

} // namespace lacuna
