#include "core/analysis/drain_savings.h"

#include "core/analysis/gap_groups.h"
#include "core/analysis/gap_names.h"
#include "core/base/parallel.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <atomic>
#include <functional>

namespace lacuna {

using namespace gaps;

Result<DrainSavings> DrainSavings::build(std::shared_ptr<const GapAnalysis> gaps, JobControl& job) {
    auto model = ReplayModel::build(gaps->index(), job);
    if (!model)
        return model.error();
    auto changes = ReplayChanges::build(**model, job);
    if (!changes)
        return changes.error();
    DrainSavings savings(std::move(gaps));
    savings.m_model = std::move(*model);
    savings.m_changes = std::move(*changes);
    SiteTable table(savings.m_model->index());
    RowPoll poll(job);
    const auto waits = savings.m_model->waits();
    savings.m_siteOfWait.reserve(waits.size());
    for (const auto& wait : waits) {
        savings.m_siteOfWait.push_back(table.siteOf(wait.row));
        if (!poll.tick())
            return cancelledError();
    }
    return savings;
}

// The rows of the table once more, with the waits behind them: the same gaps in the same order.
std::vector<DrainSavings::Site> DrainSavings::sitesOf(DeviceId device, TimeRange window,
                                                      JobControl& job) const {
    std::vector<Site> sites;
    std::unordered_map<std::uint32_t, std::size_t> places; // site number -> place
    RowPoll poll(job);
    for (const Gap& gap : m_gaps->gapsOf(device)) {
        const TimeRange part = intersection(gap.range, window);
        const std::uint32_t wait = m_changes->waitOf(part.isEmpty() ? EventId{} : gap.drainedBy);
        if (!poll.tick())
            return {};
        if (wait == kNoReplayItem)
            continue;
        const std::uint32_t number = m_siteOfWait[wait];
        const auto [at, fresh] = places.try_emplace(number, sites.size());
        if (fresh)
            sites.push_back({number, 0, 0, {}});
        Site& site = sites[at->second];
        ++site.gaps;
        site.gapNs += part.length().v;
        site.drained.push_back(gap.drainedBy);
    }
    for (Site& site : sites)
        if (!sortRows(site.drained, poll, std::less<>()))
            return {};
    std::stable_sort(sites.begin(), sites.end(),
                     [](const Site& a, const Site& b) { return a.gapNs > b.gapNs; });
    return sites;
}

ReplayChange DrainSavings::changeOf(const Site& site, const std::optional<TimeRange>& window,
                                    const JobControl& job) const {
    const HostTree& tree = m_model->index().tree();
    const auto waits = m_model->waits();
    std::vector<std::uint32_t> calls, reads;
    RowPoll poll(job);
    for (std::uint32_t i = 0; i < waits.size(); ++i) {
        const ReplayWait& wait = waits[i];
        if (!poll.tick())
            return {};
        if (m_siteOfWait[i] != site.number)
            continue;
        if (window && !window->contains(wait.range.begin) &&
            !std::binary_search(site.drained.begin(), site.drained.end(), wait.event))
            continue;
        const HostRow around = tree.enclosing(wait.row, EventKind::CpuOp);
        const bool isRead = around && isScalarRead(m_model->trace().nameOf(tree.event(around)));
        (isRead ? reads : calls).push_back(i);
    }
    ReplayChange change = m_changes->withoutWaits(calls, job);
    if (!reads.empty())
        change.join(m_changes->withoutReads(reads, job), job);
    return change;
}

Result<DrainSaving> DrainSavings::replayed(DeviceId device, const Site& site,
                                           const std::optional<TimeRange>& window, JobControl& job) const {
    const ReplayChange change = changeOf(site, window, job);
    if (job.cancelled())
        return cancelledError();
    const auto result = replay(*m_model, change, job);
    if (!result)
        return result.error();
    const Trace& trace = m_model->trace();
    const EventTable& events = trace.events();
    std::int64_t recorded = INT64_MIN, predicted = INT64_MIN, copies = 0;
    LaneCursor lanes(trace);
    RowPoll poll(job);
    for (std::uint32_t i = 0; i < m_model->ops().size(); ++i) {
        const EventId op = m_model->ops()[i].event;
        if (!poll.tick())
            return cancelledError();
        if (trace.lane(lanes.of(op)).device != device)
            continue;
        if (const auto fate = change.ops.find(i); fate != change.ops.end() && fate->second.isGone) {
            copies += events.duration(op).v;
            continue;
        }
        recorded = std::max(recorded, events.endNs[op.v]);
        predicted = std::max(predicted, result->endNs[i]);
    }
    if (recorded == INT64_MIN)
        return DrainSaving{{}, "nothing of the device's work would be left"};
    return DrainSaving{std::min(recorded - predicted, site.gapNs + copies), {}};
}

Result<std::vector<DrainSaving>> DrainSavings::of(DeviceId device, const std::optional<TimeRange>& window,
                                                  std::span<const DrainingWait> table,
                                                  const DrainSavingLimits& limits, JobControl& job) const {
    const std::vector<Site> sites = sitesOf(device, window.value_or(m_gaps->deviceWindow(device)), job);
    if (job.cancelled())
        return cancelledError();
    std::vector<DrainSaving> savings(table.size(),
                                     DrainSaving{{}, "the wait is not part of the replay's model"});
    const std::uint64_t pointsOfOne = std::max<std::size_t>(1, m_model->points().size());
    const std::size_t affordable =
        std::max<std::size_t>(1, static_cast<std::size_t>(limits.points / pointsOfOne));
    const std::size_t count = std::min(sites.size(), table.size());
    const std::size_t asked = std::min({count, limits.sites, affordable});
    std::atomic<bool> stopped = false;
    // Each replay keeps some 16 bytes a point.
    constexpr unsigned kReplaysAtOnce = 4;
    const unsigned threads =
        m_model->points().size() < kRowsForThreads ? 1 : std::min(kReplaysAtOnce, threadsFor(0));
    parallelFor(threads, count, [&](std::size_t i) {
        // Rows that do not say the same are of another gap than the model's: no figure then.
        if (sites[i].gaps != table[i].gaps || sites[i].gapNs != table[i].gapNs || stopped)
            return;
        if (i >= asked) {
            savings[i].unknown = "only the call sites with most gap time are replayed";
            return;
        }
        if (const auto saving = replayed(device, sites[i], window, job))
            savings[i] = *saving;
        else
            stopped = true;
    });
    if (stopped || job.cancelled())
        return cancelledError();
    return savings;
}

} // namespace lacuna
