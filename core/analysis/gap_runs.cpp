#include "core/analysis/gap_runs.h"

#include "core/base/lower_median.h"
#include "core/trace/strip_query.h"

#include <algorithm>

namespace lacuna::gaps {

namespace {

class RunFinder {
public:
    RunFinder(const GapIndex& index, std::span<Gap> gaps) : m_index(index), m_gaps(gaps) {}
    std::vector<LaunchRun> find(JobControl& job);

private:
    bool canBelong(const Gap& gap);
    bool continues(const Gap& last, const Gap& gap) const;
    void close();
    std::int64_t launchBegin(const Gap& gap) const { return m_index.events().beginNs[gap.launch.v]; }

    const GapIndex& m_index;
    std::span<Gap> m_gaps;
    std::vector<std::size_t> m_members;
    std::vector<LaunchRun> m_runs;
    std::vector<std::int64_t> m_intervals, m_durations;
};

// Host late, launched into a nearly empty queue, and no longer than launching usually takes.
bool RunFinder::canBelong(const Gap& gap) {
    const GapThresholds& t = m_index.thresholds();
    const Submits* submits = m_index.device(gap.device).submitsOf(gap.thread);
    if (submits == nullptr || static_cast<double>(gap.length().v) >=
                                  t.runGapFactor * static_cast<double>(submits->medianIntervalNs))
        return false;
    // next and the operations before it on its stream that had not started when the launch began
    std::size_t depth = 1;
    std::optional<EventId> earlier = gap.next;
    while (depth <= t.runMaxDepth) {
        earlier = previousInLane(m_index.trace(), *earlier);
        if (!earlier || m_index.events().beginNs[earlier->v] <= launchBegin(gap))
            return true;
        ++depth;
    }
    return false;
}

bool RunFinder::continues(const Gap& last, const Gap& gap) const {
    if (gap.thread != last.thread || gap.drainedBy)
        return false;
    const std::vector<HoldingCall>& holding = m_index.rows().calls(gap.thread).holding;
    const std::int64_t from = launchBegin(last), until = launchBegin(gap);
    // Outermost calls of a thread end in the order in which they begin.
    auto at = std::upper_bound(holding.begin(), holding.end(), from,
                               [](std::int64_t t, const HoldingCall& call) { return t < call.end; });
    for (; at != holding.end() && at->end <= until; ++at)
        if (at->hold == Hold::Waits)
            return false;
    return true;
}

void RunFinder::close() {
    const GapThresholds& t = m_index.thresholds();
    const EventTable& events = m_index.events();
    if (m_members.size() >= t.runMinGaps) {
        const Gap &first = m_gaps[m_members.front()], &last = m_gaps[m_members.back()];
        const std::vector<EventId>& calls = m_index.device(first.device).submitsOf(first.thread)->calls;
        const auto begin =
            std::lower_bound(calls.begin(), calls.end(), launchBegin(first),
                             [&](EventId call, std::int64_t time) { return events.beginNs[call.v] < time; });
        m_intervals.clear();
        m_durations.clear();
        for (auto at = begin; at != calls.end() && events.beginNs[at->v] <= launchBegin(last); ++at) {
            if (at != begin)
                m_intervals.push_back(events.beginNs[at->v] - events.beginNs[std::prev(at)->v]);
            for (const EventId op : m_index.trace().correlations().deviceOps(events.correlation[at->v]))
                m_durations.push_back(events.duration(op).v);
        }
        LaunchRun run{m_members.front(), m_members.back(), m_members.size(), m_intervals.size() + 1, 0, 0};
        run.medianIntervalNs = lowerMedian(m_intervals);
        run.medianOpNs = lowerMedian(m_durations);
        if (run.medianIntervalNs >= run.medianOpNs && run.medianIntervalNs <= t.runMaxIntervalNs) {
            for (const std::size_t member : m_members)
                m_gaps[member].launchBound = true;
            m_runs.push_back(run);
        }
    }
    m_members.clear();
}

std::vector<LaunchRun> RunFinder::find(JobControl& job) {
    for (std::size_t i = 0; i < m_gaps.size(); ++i) {
        const Gap& gap = m_gaps[i];
        if (i % 4'096 == 0 && job.cancelled())
            return {};
        const bool isBarrier = !gap.launch || gap.sameLaunch || !gap.thread;
        if (!isBarrier && gap.beforeNs + gap.insideNs == 0)
            continue; // queued in time: neither in the run nor its end
        if (isBarrier || !canBelong(gap)) {
            close();
            continue;
        }
        if (!m_members.empty() && !continues(m_gaps[m_members.back()], gap))
            close();
        m_members.push_back(i);
    }
    close();
    return std::move(m_runs);
}

} // namespace

std::vector<LaunchRun> findRuns(const GapIndex& index, std::span<Gap> gaps, JobControl& job) {
    return RunFinder(index, gaps).find(job);
}

} // namespace lacuna::gaps
