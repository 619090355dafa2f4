#include "core/analysis/replay_changes.h"

#include "core/base/lower_median.h"
#include "core/trace/union_of.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lacuna {

using namespace gaps;

namespace {

bool touchesPinned(const CopyArgs& copy) {
    return copy.src == MemKind::Pinned || copy.dst == MemKind::Pinned;
}

bool isAsyncCall(std::string_view name) {
    return name.find("Async") != std::string_view::npos;
}

} // namespace

Result<ReplayChanges> ReplayChanges::build(const ReplayModel& model, JobControl& job) {
    const Trace& trace = model.trace();
    const EventTable& events = trace.events();
    ReplayChanges changes(model);
    changes.m_launches.resize(trace.threads().size());
    std::vector<std::int64_t> durations;
    std::vector<std::vector<TimeRange>> needed(model.hosts());
    RowPoll poll(job);
    for (std::uint32_t i = 0; i < model.ops().size(); ++i) {
        if (!poll.tick())
            return cancelledError();
        const ReplayOp& op = model.ops()[i];
        if (const CopyArgs* copy = trace.hotArgs().copies.find(op.event);
            copy != nullptr && touchesPinned(*copy) && events.duration(op.event).v > 0) {
            double& best = changes.m_bandwidth[copy->kind == CopyKind::DtoH ? 1 : 0];
            if (copy->kind == CopyKind::HtoD || copy->kind == CopyKind::DtoH)
                best = std::max(best, 1e9 * static_cast<double>(copy->bytes) /
                                          static_cast<double>(events.duration(op.event).v));
        }
        if (op.call == kNoReplayItem)
            continue;
        const ReplayCall& call = model.calls()[op.call];
        changes.m_launches[call.thread.v].push_back({events.beginNs[call.event.v], i, 0});
        if (events.kind[op.event.v] == EventKind::Kernel)
            durations.push_back(events.duration(call.event).v);
    }
    for (std::vector<Launch>& launches : changes.m_launches) {
        if (!sortRows(launches, poll, [](const Launch& a, const Launch& b) { return a.beginNs < b.beginNs; }))
            return cancelledError();
        std::uint32_t others = 0;
        for (Launch& launch : launches) {
            if (!poll.tick())
                return cancelledError();
            launch.othersBefore = others;
            const CopyArgs* copy = trace.hotArgs().copies.find(model.ops()[launch.op].event);
            others += copy != nullptr && copy->kind == CopyKind::DtoH ? 0 : 1;
        }
    }
    for (const ReplayCall& call : model.calls()) {
        if (!poll.tick())
            return cancelledError();
        needed[call.host].push_back(events.range(call.event));
    }
    for (const ReplayWait& wait : model.waits()) {
        if (!poll.tick())
            return cancelledError();
        needed[wait.host].push_back(wait.range);
    }
    for (std::vector<TimeRange>& ranges : needed) {
        auto united = unionOf(std::move(ranges), poll);
        if (!united || job.cancelled())
            return cancelledError();
        changes.m_needed.push_back(*std::move(united));
    }
    changes.m_medianLaunchNs = lowerMedian(durations);
    if (job.cancelled())
        return cancelledError();
    return changes;
}

ReplayChange ReplayChanges::nothing() const {
    ReplayChange change;
    change.waits.assign(m_model->waits().size(), ReplayChange::Wait::Stays);
    change.hostTime.resize(m_model->hosts());
    return change;
}

void ReplayChanges::finish(ReplayChange& change, RowPoll& poll) {
    for (std::vector<TimeRange>& ranges : change.hostTime)
        if (auto united = unionOf(std::move(ranges), poll))
            ranges = united->takeRanges();
}

std::span<const ReplayChanges::Launch> ReplayChanges::launchesIn(ThreadId thread, TimeRange range) const {
    const std::vector<Launch>& all = m_launches[thread.v];
    const auto before = [](const Launch& launch, std::int64_t t) { return launch.beginNs < t; };
    const auto first = std::lower_bound(all.begin(), all.end(), range.begin.v, before);
    return {first, std::lower_bound(first, all.end(), range.end.v, before)};
}

bool ReplayChanges::readsOnly(std::span<const Launch> launches) const {
    if (launches.empty())
        return false;
    const CopyArgs* last = m_model->trace().hotArgs().copies.find(m_model->ops()[launches.back().op].event);
    return last != nullptr && last->kind == CopyKind::DtoH &&
           launches.front().othersBefore == launches.back().othersBefore;
}

std::pair<std::uint32_t, std::uint32_t> ReplayChanges::waitsOf(ThreadId thread) const {
    const auto waits = m_model->waits();
    const auto first = std::partition_point(waits.begin(), waits.end(),
                                            [&](const ReplayWait& wait) { return wait.thread < thread; });
    const auto last = std::partition_point(first, waits.end(),
                                           [&](const ReplayWait& wait) { return wait.thread == thread; });
    return {static_cast<std::uint32_t>(first - waits.begin()),
            static_cast<std::uint32_t>(last - waits.begin())};
}

void ReplayChanges::ignoreWaitsIn(ThreadId thread, TimeRange range, ReplayChange& change) const {
    const auto waits = m_model->waits();
    const auto [first, last] = waitsOf(thread);
    auto at = std::lower_bound(waits.begin() + first, waits.begin() + last, range.begin,
                               [](const ReplayWait& wait, TimeNs t) { return wait.range.begin < t; });
    for (; at != waits.begin() + last && at->range.begin < range.end; ++at)
        if (at->range.end <= range.end)
            change.waits[static_cast<std::size_t>(at - waits.begin())] = ReplayChange::Wait::Ignored;
}

EventId ReplayChanges::readAround(std::uint32_t wait) const {
    const HostTree& tree = m_model->index().tree();
    const ReplayWait& call = m_model->waits()[wait];
    EventId outermost;
    std::uint32_t levels = 0;
    for (HostRow up = tree.parent(call.row); up && levels < HostTree::kLevelsLookedAt;
         up = tree.parent(up), ++levels) {
        if (tree.kind(up) != EventKind::CpuOp || tree.range(up).end < call.range.end)
            continue;
        if (const auto launches = launchesIn(call.thread, tree.range(up)); readsOnly(launches))
            outermost = tree.event(up);
        else if (!launches.empty())
            break;
    }
    return outermost;
}

ReplayChange ReplayChanges::withoutWaits(std::span<const std::uint32_t> waits, const JobControl& job) const {
    ReplayChange change = nothing();
    RowPoll poll(job);
    for (const std::uint32_t wait : waits) {
        if (!poll.tick())
            break;
        change.waits[wait] = ReplayChange::Wait::Goes;
    }
    return change;
}

ReplayChange ReplayChanges::withoutReads(std::span<const std::uint32_t> waits, const JobControl& job) const {
    ReplayChange change = withoutWaits(waits, job);
    RowPoll poll(job);
    for (const std::uint32_t wait : waits) {
        if (!poll.tick())
            return change;
        const EventId read = readAround(wait);
        if (!read)
            continue;
        const ReplayWait& call = m_model->waits()[wait];
        const TimeRange range = m_model->trace().events().range(read);
        change.hostTime[call.host].push_back(range);
        for (const Launch& launch : launchesIn(call.thread, range))
            change.ops[launch.op].isGone = true;
        ignoreWaitsIn(call.thread, range, change);
    }
    finish(change, poll);
    return change;
}

std::uint32_t ReplayChanges::waitOf(EventId call) const {
    if (!call)
        return kNoReplayItem;
    const auto waits = m_model->waits();
    const TimeRange range = m_model->trace().events().range(call);
    const auto [first, last] = waitsOf(m_model->index().threadOf(call));
    auto at = std::lower_bound(waits.begin() + first, waits.begin() + last, range.begin,
                               [](const ReplayWait& wait, TimeNs t) { return wait.range.begin < t; });
    for (; at != waits.begin() + last && at->range.begin == range.begin; ++at)
        if (at->event == call)
            return static_cast<std::uint32_t>(at - waits.begin());
    return kNoReplayItem;
}

HostRow ReplayChanges::operatorAround(HostRow row) const {
    return row ? m_model->index().tree().enclosing(row, EventKind::CpuOp) : HostRow{};
}

// In the operator of the copy's call, before the thread launches anything else.
std::vector<std::uint32_t> ReplayChanges::waitsBehind(std::uint32_t op) const {
    const HostTree& tree = m_model->index().tree();
    const ReplayCall& call = m_model->calls()[m_model->ops()[op].call];
    const TimeRange range = m_model->trace().events().range(call.event);
    const HostRow around = operatorAround(tree.find(call.event));
    std::vector<std::uint32_t> behind;
    if (!around)
        return behind;
    TimeNs until = tree.range(around).end;
    if (const auto later = launchesIn(call.thread, {range.end, until}); !later.empty())
        until = {later.front().beginNs};
    const auto waits = m_model->waits();
    const auto [first, last] = waitsOf(call.thread);
    auto at = std::lower_bound(waits.begin() + first, waits.begin() + last, range.end,
                               [](const ReplayWait& wait, TimeNs t) { return wait.range.begin < t; });
    for (; at != waits.begin() + last && at->range.begin < until; ++at)
        if (at->released == op || at->released == kNoReplayItem)
            behind.push_back(static_cast<std::uint32_t>(at - waits.begin()));
    return behind;
}

ReplayChange ReplayChanges::withoutCopies(std::span<const std::uint32_t> ops, const JobControl& job) const {
    ReplayChange change = nothing();
    RowPoll poll(job);
    for (const std::uint32_t op : ops) {
        if (!poll.tick())
            return change;
        change.ops[op].isGone = true;
        if (m_model->ops()[op].call == kNoReplayItem)
            continue;
        const ReplayCall& call = m_model->calls()[m_model->ops()[op].call];
        change.hostTime[call.host].push_back(m_model->trace().events().range(call.event));
        if (const std::uint32_t wait = waitOf(call.event); wait != kNoReplayItem)
            change.waits[wait] = ReplayChange::Wait::Ignored;
        for (const std::uint32_t wait : waitsBehind(op))
            change.waits[wait] = ReplayChange::Wait::Goes;
    }
    finish(change, poll);
    return change;
}

bool ReplayChanges::isPageable(std::uint32_t op) const {
    const CopyArgs* copy = m_model->trace().hotArgs().copies.find(m_model->ops()[op].event);
    return copy != nullptr && ((copy->kind == CopyKind::HtoD && copy->src == MemKind::Pageable) ||
                               (copy->kind == CopyKind::DtoH && copy->dst == MemKind::Pageable));
}

double ReplayChanges::pinnedBandwidth(CopyKind kind) const {
    return m_bandwidth[kind == CopyKind::DtoH ? 1 : 0];
}

ReplayChange ReplayChanges::withPinned(std::span<const std::uint32_t> ops, double bytesPerSecond,
                                       const JobControl& job) const {
    const Trace& trace = m_model->trace();
    ReplayChange change = nothing();
    RowPoll poll(job);
    for (const std::uint32_t number : ops) {
        if (!poll.tick())
            return change;
        const ReplayOp& op = m_model->ops()[number];
        const CopyArgs* copy = trace.hotArgs().copies.find(op.event);
        if (copy == nullptr || op.call == kNoReplayItem)
            continue;
        ReplayChange::Op& fate = change.ops[number];
        fate.isPinned = true;
        const double bandwidth = bytesPerSecond > 0 ? bytesPerSecond : pinnedBandwidth(copy->kind);
        if (bandwidth > 0)
            fate.durationNs = std::llround(1e9 * static_cast<double>(copy->bytes) / bandwidth);
        const ReplayCall& call = m_model->calls()[op.call];
        const TimeRange range = trace.events().range(call.event);
        if (!isAsyncCall(trace.nameOf(call.event))) // it goes on to wait for its copy
            continue;
        const TimeNs shortened = range.begin + DurationNs{m_medianLaunchNs};
        if (shortened < range.end)
            change.hostTime[call.host].push_back({shortened, range.end});
        if (const std::uint32_t wait = waitOf(call.event); wait != kNoReplayItem)
            change.waits[wait] = ReplayChange::Wait::Ignored;
        if (copy->kind == CopyKind::HtoD) // the host needs what comes the other way
            for (const std::uint32_t wait : waitsBehind(number))
                change.waits[wait] = ReplayChange::Wait::Goes;
    }
    finish(change, poll);
    return change;
}

ReplayChange ReplayChanges::withoutHostTime(std::span<const EventId> rows, const JobControl& job) const {
    const Trace& trace = m_model->trace();
    ReplayChange change = nothing();
    RowPoll poll(job);
    LaneCursor lanes(trace);
    for (const EventId row : rows) {
        if (!poll.tick())
            return change;
        if (const ThreadId thread = trace.lane(lanes.of(row)).thread; thread && m_model->submits(thread))
            change.hostTime[m_model->hostOf(thread)].push_back(trace.events().range(row));
    }
    finish(change, poll);
    for (std::size_t host = 0; host < change.hostTime.size() && !job.cancelled(); ++host) {
        std::vector<TimeRange>& ranges = change.hostTime[host];
        ranges = IntervalSet::fromUnsorted(std::move(ranges)).minus(m_needed[host]).takeRanges();
    }
    return change;
}

ReplayChange ReplayChanges::withoutCalls(std::span<const EventId> calls, const JobControl& job) const {
    ReplayChange change = nothing();
    const Trace& trace = m_model->trace();
    RowPoll poll(job);
    LaneCursor lanes(trace);
    for (const EventId call : calls) {
        if (!poll.tick())
            return change;
        if (const ThreadId thread = trace.lane(lanes.of(call)).thread; thread && m_model->submits(thread)) {
            change.hostTime[m_model->hostOf(thread)].push_back(trace.events().range(call));
            if (const std::uint32_t wait = waitOf(call); wait != kNoReplayItem)
                change.waits[wait] = ReplayChange::Wait::Ignored;
        }
    }
    finish(change, poll);
    return change;
}

ReplayChange ReplayChanges::withoutLaunchLatency() const {
    ReplayChange change = nothing();
    change.launchLatency = true;
    return change;
}

} // namespace lacuna
