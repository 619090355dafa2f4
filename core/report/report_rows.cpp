#include "core/report/report_rows.h"

#include "core/base/column.h"
#include "core/base/huge_pages.h"
#include "core/trace/sort_rows.h"

namespace lacuna {

namespace {

struct TimedRow {
    std::int64_t begin = 0;
    EventId event;
};

} // namespace

std::optional<std::vector<EventId>> rowsByStart(const ReportInput& input, KindMask kinds, JobControl& job) {
    const EventTable& events = input.trace.events();
    Column<TimedRow> rows;
    rows.reserve(countRows(input, kinds, job));
    const bool done = forEachRow(input, kinds, job, [&](EventId e, const Lane&) {
        rows.push_back({events.beginNs[e.v], e});
    });
    RowPoll poll(job);
    const auto before = [&events](const TimedRow& a, const TimedRow& b) {
        return a.begin != b.begin ? a.begin < b.begin : events.source[a.event.v] < events.source[b.event.v];
    };
    if (!done || !sortRows(rows, poll, before)) // lanes are in order of time already
        return std::nullopt;
    std::vector<EventId> result;
    reserveHuge(result, rows.size());
    for (const TimedRow& row : rows) {
        if (!poll.tick())
            return std::nullopt;
        result.push_back(row.event);
    }
    return result;
}

HostIds hostIdsOf(const Trace& trace, ThreadId thread) {
    HostIds ids;
    if (!thread)
        return ids;
    const Thread& row = trace.threads()[thread.v];
    ids.tid = row.tid;
    if (row.process)
        ids.pid = trace.processes()[row.process.v].osPid;
    return ids;
}

std::optional<std::int64_t> launchingProcessOf(const Trace& trace, DeviceId device) {
    const ProcessId process = device ? trace.devices()[device.v].process : ProcessId{};
    return process ? trace.processes()[process.v].osPid : std::nullopt;
}

std::int64_t ordinalOf(const Trace& trace, DeviceId device) {
    return device ? trace.devices()[device.v].ordinal : 0;
}

std::optional<std::int64_t> correlationIdOf(const Trace& trace, EventId event) {
    const std::uint32_t group = trace.events().correlation[event.v];
    return group == 0 ? std::nullopt : std::optional<std::int64_t>(trace.correlations().correlationId(group));
}

} // namespace lacuna
