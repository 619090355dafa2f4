#include "core/report/launched_kernels.h"

#include "core/trace/lane_cursor.h"
#include "core/trace/sort_rows.h"

#include <utility>

namespace lacuna {

std::optional<LaunchedOps> launchedOps(const ReportInput& input, KindMask kinds, JobControl& job) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    const auto ops = rowsByStart(input, kinds, job);
    if (!ops)
        return std::nullopt;
    LaunchedOps result;
    result.ops.reserve(ops->size());
    RowPoll poll(job);
    LaneCursor lanes(trace);
    for (const EventId op : *ops) {
        if (!poll.tick())
            return std::nullopt;
        if (const auto call = trace.correlations().launchOf(events, op))
            result.ops.push_back({op, *call, trace.lane(lanes.of(*call)).thread, events.beginNs[call->v]});
        else
            ++result.unlaunched;
    }
    // Streams run what was launched first as a rule: nearly sorted. The order by start of the operations
    // holds among those of one call.
    const bool isSorted = sortRows(result.ops, poll, [&](const LaunchedOp& a, const LaunchedOp& b) {
        return a.callBeginNs < b.callBeginNs;
    });
    return isSorted && !job.cancelled() ? std::optional(std::move(result)) : std::nullopt;
}

std::string unlaunchedNote(std::uint64_t count) {
    if (count == 0)
        return {};
    return count == 1 ? "1 operation without a recorded call is left out."
                      : std::to_string(count) + " operations without a recorded call are left out.";
}

} // namespace lacuna
