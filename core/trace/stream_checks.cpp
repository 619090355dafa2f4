#include "core/trace/stream_checks.h"

#include "core/base/poll.h"

#include <algorithm>
#include <vector>

namespace lacuna {

namespace {

constexpr std::int64_t kMostOverlapNs = 1'000'000;

} // namespace

bool noteOverruns(const Trace& trace, ImportReport& report, JobControl& job) {
    const EventTable& events = trace.events();
    std::vector<std::uint32_t> rows;
    for (std::uint32_t lane = 0; lane < trace.lanes().size(); ++lane) {
        if (trace.lanes()[lane].kind != LaneKind::GpuStream || trace.lanes()[lane].depth < 2)
            continue;
        rows.clear();
        for (const Strip& strip : trace.strips(LaneId{lane}))
            for (std::uint32_t row = strip.first.v; row < strip.last.v; ++row) {
                if (rows.size() % kRowsPerPoll == 0 && job.cancelled())
                    return false;
                rows.push_back(row);
            }
        std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
            return events.beginNs[a] != events.beginNs[b] ? events.beginNs[a] < events.beginNs[b] : a < b;
        });
        for (std::size_t i = 0; i + 1 < rows.size(); ++i)
            if (events.endNs[rows[i]] - events.beginNs[rows[i + 1]] > kMostOverlapNs)
                report.note(
                    "overrunning_device_row",
                    "Device rows last more than 1 ms beyond the start of the next row of their stream: "
                    "their recorded ends may be wrong.",
                    {}, Severity::Warning);
        if (job.cancelled())
            return false;
    }
    return true;
}

} // namespace lacuna
