#include "core/trace/stream_checks.h"

#include "core/trace/merge_runs.h"
#include "core/trace/row_poll.h"

#include <vector>

namespace lacuna {

namespace {

constexpr std::int64_t kMostOverlapNs = 1'000'000;

} // namespace

std::vector<EventId> overrunsOf(const Trace& trace, LaneId lane, const JobControl& job) {
    std::vector<EventId> found;
    if (trace.lane(lane).kind != LaneKind::GpuStream || trace.lane(lane).depth < 2)
        return found;
    const EventTable& events = trace.events();
    std::vector<std::uint32_t> rows, spare;
    RowPoll poll(job);
    for (const Strip& strip : trace.strips(lane))
        for (std::uint32_t row = strip.first.v; row < strip.last.v && poll.tick(); ++row)
            rows.push_back(row);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return events.beginNs[a] != events.beginNs[b] ? events.beginNs[a] < events.beginNs[b] : a < b;
    };
    // Every strip is in order.
    if (!mergeRuns(rows, spare, before,
                   [&poll](std::size_t moved) { return poll.tick(static_cast<std::uint32_t>(moved)); }))
        return found;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
        if (events.endNs[rows[i]] - events.beginNs[rows[i + 1]] > kMostOverlapNs)
            found.push_back(EventId{rows[i]});
    return found;
}

bool noteOverruns(const Trace& trace, ImportReport& report, JobControl& job) {
    for (std::uint32_t lane = 0; lane < trace.lanes().size(); ++lane) {
        const std::size_t count = overrunsOf(trace, {lane}, job).size();
        if (trace.lanes()[lane].kind == LaneKind::GpuStream && job.cancelled())
            return false;
        report.note(kOverruns,
                    "Device rows last more than 1 ms beyond the start of the next row of their stream: "
                    "their recorded ends may be wrong.",
                    {}, Severity::Warning, count);
    }
    return true;
}

} // namespace lacuna
