#include "core/report/report_rows.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {

struct TimedRow {
    std::int64_t begin = 0;
    EventId event;
};

// Runs of rows that are in order, merged two by two: lanes are in order of time already.
class RunMerge {
public:
    RunMerge(const EventTable& events, std::vector<TimedRow> rows)
        : m_events(events), m_rows(std::move(rows)) {
        m_starts.push_back(0);
        for (std::size_t i = 1; i < m_rows.size(); ++i)
            if (before(m_rows[i], m_rows[i - 1]))
                m_starts.push_back(i);
        m_starts.push_back(m_rows.size());
    }

    bool run(JobControl& job) {
        std::vector<TimedRow> merged(m_rows.size());
        while (m_starts.size() > 2) {
            std::vector<std::size_t> starts;
            for (std::size_t run = 0; run + 1 < m_starts.size(); run += 2) {
                if (job.cancelled())
                    return false;
                starts.push_back(m_starts[run]);
                const std::size_t end = m_starts[std::min(run + 2, m_starts.size() - 1)];
                std::merge(at(m_starts[run]), at(m_starts[run + 1]), at(m_starts[run + 1]), at(end),
                           merged.begin() + static_cast<std::ptrdiff_t>(m_starts[run]),
                           [this](const TimedRow& a, const TimedRow& b) { return before(a, b); });
            }
            starts.push_back(m_rows.size());
            m_rows.swap(merged);
            m_starts = std::move(starts);
        }
        return true;
    }

    std::vector<EventId> events() const {
        std::vector<EventId> result;
        result.reserve(m_rows.size());
        for (const TimedRow& row : m_rows)
            result.push_back(row.event);
        return result;
    }

private:
    std::vector<TimedRow>::const_iterator at(std::size_t i) const {
        return m_rows.begin() + static_cast<std::ptrdiff_t>(i);
    }
    bool before(const TimedRow& a, const TimedRow& b) const {
        return a.begin != b.begin ? a.begin < b.begin
                                  : m_events.source[a.event.v] < m_events.source[b.event.v];
    }

    const EventTable& m_events;
    std::vector<TimedRow> m_rows;
    std::vector<std::size_t> m_starts; // of the runs, and the end
};

} // namespace

std::optional<std::vector<EventId>> rowsByStart(const ReportInput& input, KindMask kinds, JobControl& job) {
    std::vector<TimedRow> rows;
    const bool done = forEachRow(input, kinds, job, [&](EventId e, const Lane&) {
        rows.push_back({input.trace.events().beginNs[e.v], e});
    });
    RunMerge merge(input.trace.events(), std::move(rows));
    if (!done || !merge.run(job))
        return std::nullopt;
    return merge.events();
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
