// Allocation in steady state: calls of the allocation API inside measured steps, and growth of what the
// caching allocator holds.

#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/findings/memory_levels.h"
#include "core/trace/api_name.h"
#include "core/trace/row_poll.h"

#include <algorithm>

namespace lacuna::findings {

namespace {

struct AllocationCalls {
    std::size_t count = 0;
    std::int64_t ns = 0;
    std::vector<EventId> events;
};
constexpr std::size_t kShownAllocations = 8;

AllocationCalls allocationsOfWindow(const FindingContext& context, JobControl& job) {
    AllocationCalls calls;
    RowPoll poll(job);
    for (std::uint32_t t = 0; t < context.trace.threads().size(); ++t) {
        const HostTree::ThreadPart& part = context.tree.part({t});
        for (HostRow row{part.firstRow}; row.v < part.lastRow && poll.tick(); ++row.v) {
            const EventId event = context.tree.event(row);
            if (!isHostCall(context.tree.kind(row)) || context.rows.cls(row) != PieceClass::Allocation ||
                !context.startsInWindow(event))
                continue;
            ++calls.count;
            calls.ns = saturatingAdd(calls.ns, context.tree.range(row).length().v);
            calls.events.push_back(event);
        }
    }
    return calls;
}

} // namespace

Finding allocations(const FindingContext& context, JobControl& job) {
    Finding finding;
    if (context.measuredSteps() == 0) {
        finding.state = FindingState::Unknown;
        finding.suggests = "The trace has no steps, so nothing tells where the steady state begins.";
        return finding;
    }
    const AllocationCalls calls = allocationsOfWindow(context, job);
    const std::size_t shown = std::min(calls.count, kShownAllocations);
    for (std::size_t c = 0; c < shown; ++c) {
        const EventId event = calls.events[c];
        finding.supports.push_back(rowEvidence(context, event,
                                               hostSiteOf(context, event).text() + ", " +
                                                   durationText(context.events().duration(event).v) + "."));
    }
    if (calls.count > shown)
        finding.supports.push_back(
            withRows(context, plainEvidence(std::to_string(calls.count - shown) + " more calls."),
                     {calls.events.begin() + static_cast<std::ptrdiff_t>(shown), calls.events.end()}));
    bool grows = false;
    for (const MemoryLevel& level : memoryLevels(context, "reserved"))
        if (level.last > level.first && level.first > 0) {
            grows = true;
            finding.supports.push_back(withWindow(
                context,
                plainEvidence(level.name + " grew from " +
                              formatBytes(static_cast<std::uint64_t>(level.first)) + " to " +
                              formatBytes(static_cast<std::uint64_t>(level.last)) + " after warm-up.")));
        }
    if (calls.count == 0 && !grows) {
        finding.suggests = "No allocation call inside the measured steps.";
        return finding;
    }
    finding.state = FindingState::Found;
    finding.costNs = calls.ns;
    finding.suggests = calls.count == 0
                           ? "The caching allocator still grows in the measured steps."
                           : countOf(calls.count, "allocation call") + " inside the measured steps, " +
                                 durationText(calls.ns) + " in all: memory is not allocated once and kept.";
    finding.against.push_back(plainEvidence("A shape that is new in a step needs new memory once."));
    finding.tests.emplace_back(
        "Allocate all buffers before the loop, or run more warm-up steps, and record again.");
    return finding;
}

} // namespace lacuna::findings
