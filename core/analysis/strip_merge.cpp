#include "core/analysis/strip_merge.h"

#include "core/trace/merge_runs.h"

#include <algorithm>
#include <utility>

namespace lacuna {

namespace {
constexpr std::uint32_t kNobody = UINT32_MAX; // wins every match: stands for runs that have not come yet
} // namespace

bool StripMerge::before(EventId a, EventId b) const {
    const EventTable& e = *m_events;
    if (e.beginNs[a.v] != e.beginNs[b.v])
        return e.beginNs[a.v] < e.beginNs[b.v];
    if (e.endNs[a.v] != e.endNs[b.v])
        return e.endNs[a.v] > e.endNs[b.v];
    return e.source[a.v] != e.source[b.v] ? e.source[a.v] < e.source[b.v] : a < b;
}

void StripMerge::clear() {
    m_runs.clear();
}

void StripMerge::add(EventId first, EventId last) {
    Run run;
    run.at = first.v;
    run.last = last.v;
    for (EventId row = first; row.v + 1 < last.v; ++row.v)
        if (m_events->beginNs[row.v] >= m_events->beginNs[row.v + 1] && before({row.v + 1}, row)) {
            run.sorted.resize(last.v - first.v);
            for (std::uint32_t i = 0; i < run.sorted.size(); ++i)
                run.sorted[i] = EventId{first.v + i};
            std::vector<EventId> spare; // few rows begin together: nearly in order, so that no poll is missed
            mergeRuns(
                run.sorted, spare, [this](EventId a, EventId b) { return before(a, b); },
                [](std::size_t) { return true; });
            run.at = 0;
            run.last = static_cast<std::uint32_t>(run.sorted.size());
            break;
        }
    step(run);
    m_runs.push_back(std::move(run));
}

void StripMerge::step(Run& run) const {
    if (run.at == run.last) {
        run.event = EventId{};
        run.begin = INT64_MAX;
        return;
    }
    run.event = run.sorted.empty() ? EventId{run.at} : run.sorted[run.at];
    run.begin = m_events->beginNs[run.event.v];
    ++run.at;
}

bool StripMerge::wins(std::uint32_t a, std::uint32_t b) const {
    if (a == kNobody || b == kNobody)
        return a == kNobody;
    const Run &runA = m_runs[a], &runB = m_runs[b];
    if (runA.begin != runB.begin)
        return runA.begin < runB.begin;
    if (!runA.event || !runB.event)
        return static_cast<bool>(runA.event);
    return before(runA.event, runB.event);
}

void StripMerge::start() {
    m_losers.assign(std::max<std::size_t>(1, m_runs.size()), kNobody);
    for (auto run = static_cast<std::uint32_t>(m_runs.size()); run-- > 0;)
        replay(run);
}

// Plays the matches of a run from its leaf up to the top.
void StripMerge::replay(std::uint32_t run) {
    for (auto match = (run + static_cast<std::uint32_t>(m_runs.size())) / 2; match > 0; match /= 2)
        if (wins(m_losers[match], run))
            std::swap(m_losers[match], run);
    m_losers[0] = run;
}

bool StripMerge::next(EventId& row) {
    if (m_runs.empty())
        return false;
    const std::uint32_t winner = m_losers[0];
    row = m_runs[winner].event;
    if (!row)
        return false;
    step(m_runs[winner]);
    replay(winner);
    return true;
}

} // namespace lacuna
