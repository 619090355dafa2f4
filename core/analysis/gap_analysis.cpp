// The order of the work: gaps and cuts (gap_find), drains (rule S), runs (rule B), the file's own latencies
// (rule D3), then the rules on each gap (gap_judge), groups and ranks. What one gap shows when it is opened
// is made again on demand (gap_story): nothing of it is kept.

#include "core/analysis/gap_analysis.h"

#include "core/analysis/gap_edges.h"
#include "core/analysis/gap_find.h"
#include "core/analysis/gap_groups.h"
#include "core/analysis/gap_runs.h"
#include "core/analysis/gap_story.h"
#include "core/analysis/gap_stream.h"
#include "core/analysis/gap_stretch.h"
#include "core/base/huge_pages.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <mutex>
#include <optional>

namespace lacuna {

using namespace gaps;

EventId Gap::blockingCall() const {
    switch (role) {
    case BlockingRole::None:
        break;
    case BlockingRole::DrainedBy:
        return drainedBy;
    case BlockingRole::Launch:
        return launch;
    case BlockingRole::HeldBy:
        return heldBy;
    }
    return {};
}

struct GapAnalysis::State {
    struct DeviceGaps {
        std::size_t first = 0, last = 0; // of `gaps`
        GapSums sums;
        std::vector<LaunchRun> runs;
    };
    std::shared_ptr<const GapIndex> index;
    unsigned threads = 1;
    LatencyTable latency;
    Column<Gap> gaps;
    Column<GapPart> parts;
    std::vector<DeviceGaps> devices;
    std::vector<std::uint32_t> sites; // by group, while the gaps are judged by gap
    std::unique_ptr<SiteTable> siteTable;
    std::vector<GapGroup> groups;
    std::vector<GapId> byRank;
    std::vector<std::uint32_t> drained; // gaps with a draining wait, ascending
    // Of the devices' own windows, made when they are asked for first.
    std::mutex wholeLock;
    std::vector<std::optional<GapTotals>> whole;

    bool takeAll(std::vector<Column<Gap>> found, JobControl& job); // by device
    bool judgeAll(JobControl& job);
    void take(DeviceGaps& device, std::span<Gap> judged, const GapStretch& stretch);
    void addDrainingWaits(std::size_t first, std::size_t last, TimeRange window, GapTotals& totals) const;
};

GapAnalysis::GapAnalysis() : m_state(std::make_unique<State>()) {}
GapAnalysis::~GapAnalysis() = default;

bool GapAnalysis::State::takeAll(std::vector<Column<Gap>> found, JobControl& job) {
    devices.resize(found.size());
    for (std::size_t i = 0; i < devices.size(); ++i) {
        Column<Gap> ofDevice = std::move(found[i]);
        parallelFor(threads, (ofDevice.size() + GapStretch::kGaps - 1) / GapStretch::kGaps,
                    [&](std::size_t part) {
                        const std::size_t first = part * GapStretch::kGaps;
                        const std::size_t last = std::min(ofDevice.size(), first + GapStretch::kGaps);
                        if (!job.cancelled())
                            for (std::size_t k = first; k < last; ++k)
                                findDrain(*index, ofDevice[k]);
                    });
        devices[i].runs = findRuns(*index, ofDevice, job);
        devices[i].first = gaps.size();
        if (gaps.empty()) // nearly always: one device
            gaps = std::move(ofDevice);
        else
            gaps.insert(gaps.end(), ofDevice.begin(), ofDevice.end());
        devices[i].last = gaps.size();
        if (job.cancelled())
            return false;
    }
    latency = LatencyTable(*index, gaps, job);
    return !job.cancelled();
}

// Stretches are judged side by side, a few for each thread at a time, and taken in their order.
bool GapAnalysis::State::judgeAll(JobControl& job) {
    constexpr std::size_t kStretchesPerThread = 4; // what waits is small
    std::vector<GapStretch> stretches(kStretchesPerThread * threads);
    reserveHuge(sites, gaps.size());
    parts.reserve(gaps.size() + gaps.size() / 2); // what stays untouched costs nothing
    siteTable = std::make_unique<SiteTable>(*index);
    for (DeviceGaps& device : devices)
        for (std::size_t round = device.first; round < device.last;
             round += stretches.size() * GapStretch::kGaps) {
            const auto all = std::span(gaps).subspan(
                round, std::min(stretches.size() * GapStretch::kGaps, device.last - round));
            const auto gapsOf = [&](std::size_t i) {
                return all.subspan(i * GapStretch::kGaps,
                                   std::min(GapStretch::kGaps, all.size() - i * GapStretch::kGaps));
            };
            const std::size_t count = (all.size() + GapStretch::kGaps - 1) / GapStretch::kGaps;
            parallelFor(threads, count, [&](std::size_t i) {
                if (!job.cancelled())
                    stretches[i].judge(*index, latency, gapsOf(i));
            });
            if (job.cancelled())
                return false;
            for (std::size_t i = 0; i < count; ++i)
                take(device, gapsOf(i), stretches[i]);
        }
    stretches = {};
    groups = makeGroups(gaps, sites, *siteTable, byRank, job, threads);
    return !job.cancelled();
}

void GapAnalysis::State::take(DeviceGaps& device, std::span<Gap> judged, const GapStretch& stretch) {
    for (std::size_t i = 0; i < judged.size(); ++i) {
        judged[i].firstPart += static_cast<std::uint32_t>(parts.size());
        sites.push_back(siteTable->siteOf(stretch.holders[i]));
        if (judged[i].drainedBy)
            drained.push_back(static_cast<std::uint32_t>(sites.size() - 1));
    }
    parts.insert(parts.end(), stretch.parts.begin(), stretch.parts.end());
    device.sums.append(stretch.sums);
}

Result<std::shared_ptr<const GapAnalysis>> GapAnalysis::run(std::shared_ptr<const Trace> trace,
                                                            const GapOptions& options, JobControl& job) {
    // Gaps lie between the rows of the device alone: they are found while the hosts are looked at.
    std::vector<Column<Gap>> found; // by device
    const auto findAll = [&](const GapIndex& devices) {
        for (const DeviceIndex& device : devices.devices())
            found.push_back(findGaps(devices.trace(), device.ops, device.id, {}, job));
    };
    auto index = GapIndex::build(std::move(trace), options, job, 0, findAll);
    if (!index)
        return index.error();
    std::shared_ptr<GapAnalysis> analysis(new GapAnalysis);
    State& state = *analysis->m_state;
    state.index = *index;
    state.threads = state.index->events().size() < kRowsForThreads ? 1 : threadsFor(0);
    if (!state.takeAll(std::move(found), job) || !state.judgeAll(job))
        return cancelledError();
    return std::shared_ptr<const GapAnalysis>(std::move(analysis));
}

const Trace& GapAnalysis::trace() const {
    return m_state->index->trace();
}

const std::shared_ptr<const GapIndex>& GapAnalysis::index() const {
    return m_state->index;
}

std::span<const Gap> GapAnalysis::gaps() const {
    return m_state->gaps;
}

std::span<const Gap> GapAnalysis::gapsOf(DeviceId device) const {
    const State::DeviceGaps& d = m_state->devices[device.v];
    return gaps().subspan(d.first, d.last - d.first);
}

GapId GapAnalysis::firstGapOf(DeviceId device) const {
    return {static_cast<std::uint32_t>(m_state->devices[device.v].first)};
}

std::span<const GapPart> GapAnalysis::parts(const Gap& gap) const {
    return std::span(m_state->parts).subspan(gap.firstPart, gap.partCount);
}

std::span<const GapGroup> GapAnalysis::groups() const {
    return m_state->groups;
}

std::span<const GapId> GapAnalysis::byRank() const {
    return m_state->byRank;
}

TimeRange GapAnalysis::deviceWindow(DeviceId device) const {
    return m_state->index->device(device).span;
}

GapTotals GapAnalysis::totals(DeviceId device) const {
    const std::lock_guard hold(m_state->wholeLock);
    m_state->whole.resize(m_state->devices.size());
    std::optional<GapTotals>& known = m_state->whole[device.v];
    if (!known)
        known = totals(device, deviceWindow(device));
    return *known;
}

GapTotals GapAnalysis::totals(DeviceId device, TimeRange window) const {
    GapTotals totals;
    const TimeRange span = deviceWindow(device);
    const std::span<const Gap> list = gapsOf(device);
    GapJudge judge(*m_state->index, m_state->latency);
    totals.windowNs = window.length().v;
    if (m_state->index->device(device).ops.empty() || window.end <= span.begin) {
        totals.edgeStartNs = totals.windowNs;
        return totals;
    }
    if (window.begin >= span.end) {
        totals.edgeEndNs = totals.windowNs;
        return totals;
    }
    totals.edgeStartNs = std::max<std::int64_t>(0, (span.begin - window.begin).v);
    totals.edgeEndNs = std::max<std::int64_t>(0, (window.end - span.end).v);
    const auto first = std::partition_point(list.begin(), list.end(),
                                            [&](const Gap& gap) { return gap.range.end <= window.begin; });
    const auto last =
        std::partition_point(first, list.end(), [&](const Gap& gap) { return gap.range.begin < window.end; });
    auto wholeFirst = first, wholeLast = last;
    if (first != last && first->range.begin < window.begin) {
        GapSums::addCut(*first, window, *m_state->index, judge, totals);
        ++wholeFirst;
    }
    if (wholeFirst < last && std::prev(last)->range.end > window.end) {
        --wholeLast;
        GapSums::addCut(*wholeLast, window, *m_state->index, judge, totals);
    }
    m_state->devices[device.v].sums.sum(static_cast<std::size_t>(wholeFirst - list.begin()),
                                        static_cast<std::size_t>(wholeLast - list.begin()), list, judge,
                                        totals);
    totals.busyNs = intersection(span, window).length().v - totals.idleNs;
    const std::size_t base = m_state->devices[device.v].first;
    m_state->addDrainingWaits(base + static_cast<std::size_t>(first - list.begin()),
                              base + static_cast<std::size_t>(last - list.begin()), window, totals);
    return totals;
}

// Every gap with a draining wait counts whole, the sync part by its share of the window.
void GapAnalysis::State::addDrainingWaits(std::size_t first, std::size_t last, TimeRange window,
                                          GapTotals& totals) const {
    std::unordered_map<std::uint32_t, std::size_t> places;
    for (auto id = std::lower_bound(drained.begin(), drained.end(), first); id != drained.end() && *id < last;
         ++id) {
        const Gap& gap = gaps[*id];
        const auto [at, fresh] = places.try_emplace(sites[gap.group], totals.drainingWaits.size());
        if (fresh) {
            const CallSite& site = siteTable->site(sites[gap.group]);
            totals.drainingWaits.push_back({std::string(siteTable->text(site.api)),
                                            std::string(siteTable->text(site.op)),
                                            std::string(siteTable->text(site.shownRange)), 0, 0, 0});
        }
        DrainingWait& wait = totals.drainingWaits[at->second];
        ++wait.gaps;
        wait.gapNs += intersection(gap.range, window).length().v;
        const TimeRange sync{gap.range.begin, gap.range.begin + DurationNs{gap.syncPartNs}};
        wait.syncPartNs += intersection(sync, window).length().v;
    }
    std::stable_sort(totals.drainingWaits.begin(), totals.drainingWaits.end(),
                     [](const DrainingWait& a, const DrainingWait& b) { return a.gapNs > b.gapNs; });
}

std::vector<Gap> GapAnalysis::edgeGaps(DeviceId device, TimeRange window) const {
    return findEdges(*m_state->index, device, window);
}

GapStory GapAnalysis::explain(const Gap& gap) const {
    if (isEdge(gap))
        return tellEdge(*m_state->index, gap);
    const std::span<const LaunchRun> runs = m_state->devices[gap.device.v].runs;
    return tellStory(*m_state->index, m_state->latency, gap, gapsOf(gap.device), runs);
}

EventId GapAnalysis::waitedFor(const Gap& gap) const {
    if (gap.cause != GapCause::StreamDependency)
        return {};
    Gap copy = gap;
    Judgement judgement;
    judgeAlone(*m_state->index, m_state->latency, copy, judgement);
    return judgement.device.source;
}

Result<std::vector<Gap>> GapAnalysis::streamGaps(LaneId stream, JobControl& job) const {
    return findStreamGaps(*m_state->index, m_state->latency, stream, job);
}

std::vector<GapPart> GapAnalysis::partsOfStreamGap(const Gap& gap) const {
    Gap copy = gap;
    Judgement judgement;
    judgeAlone(*m_state->index, m_state->latency, copy, judgement);
    std::vector<GapPart> found;
    for (std::size_t cause = 0; cause < kGapCauses; ++cause)
        if (judgement.parts[cause] != 0)
            found.push_back({static_cast<GapCause>(cause), judgement.parts[cause]});
    return found;
}

Result<StreamGaps> GapAnalysis::rankedStreamGaps(LaneId stream, JobControl& job) const {
    auto found = streamGaps(stream, job);
    if (!found)
        return found.error();
    StreamGaps ranked{std::move(*found), {}};
    SiteTable table(*m_state->index);
    RowPoll poll(job);
    std::vector<std::uint32_t> gapSites;
    gapSites.reserve(ranked.gaps.size());
    for (const Gap& gap : ranked.gaps) {
        gapSites.push_back(
            table.siteOf(gap.blockingCall() ? m_state->index->tree().find(gap.blockingCall()) : HostRow{}));
        if (!poll.tick())
            return cancelledError();
    }
    std::vector<GapId> order;
    ranked.groups = makeGroups(ranked.gaps, gapSites, table, order, job);
    if (job.cancelled())
        return cancelledError();
    return ranked;
}

std::vector<GapPart> GapAnalysis::partsWithin(const Gap& gap, TimeRange window) const {
    Gap copy = gap;
    Judgement judgement;
    judgeAlone(*m_state->index, m_state->latency, copy, judgement);
    CauseSums sums{};
    GapJudge::visitParts(copy, judgement.pieces, window, [&sums](TimeRange part, GapCause cause) {
        sums[static_cast<std::size_t>(cause)] += part.length().v;
    });
    std::vector<GapPart> found;
    for (std::size_t cause = 0; cause < kGapCauses; ++cause)
        if (sums[cause] != 0)
            found.push_back({static_cast<GapCause>(cause), sums[cause]});
    return found;
}

} // namespace lacuna
