#include "core/analysis/gap_device.h"

#include "core/base/lower_median.h"
#include "core/trace/strip_query.h"

#include <algorithm>
#include <optional>

namespace lacuna::gaps {

namespace {

bool isQueued(const Gap& gap) {
    return gap.launch && gap.beforeNs + gap.insideNs == 0 && !gap.sameLaunch;
}

class DeviceRules {
public:
    DeviceRules(const GapIndex& index, const Gap& gap, TimeNs from)
        : m_index(index), m_events(index.events()), m_gap(gap), m_from(from),
          m_launchBegin(gap.launch ? m_events.beginNs[gap.launch.v] : gap.range.begin.v) {}

    bool dependency(DeviceSide& result) const;        // D1
    bool dependencyByOrder(DeviceSide& result) const; // D1 without markers
    bool hostCallback(DeviceSide& result) const;      // D2
    bool unrecordedWork(DeviceSide& result) const;    // D4

private:
    // The source's end can have released the next operation.
    bool releases(EventId source) const {
        const std::int64_t end = m_events.endNs[source.v];
        return end >= m_from.v - m_index.thresholds().drainEpsilonNs && end <= m_gap.range.end.v;
    }
    EventId lastLaunchedBy(ThreadId thread, std::int64_t before) const;
    // Begin of the call of the stream predecessor; INT64_MIN when there is none. Looked up once.
    std::int64_t earlierLaunch() const {
        if (!m_earlierLaunch) {
            const auto earlier = previousInLane(m_index.trace(), m_gap.next);
            const EventId call = earlier ? m_index.launchOf(*earlier) : EventId{};
            m_earlierLaunch = call ? m_events.beginNs[call.v] : INT64_MIN;
        }
        return *m_earlierLaunch;
    }

    const GapIndex& m_index;
    const EventTable& m_events;
    const Gap& m_gap;
    TimeNs m_from;
    std::int64_t m_launchBegin;
    mutable std::optional<std::int64_t> m_earlierLaunch;
};

bool DeviceRules::dependency(DeviceSide& result) const {
    if (!m_index.hasStreamWaits())
        return false;
    const Trace& trace = m_index.trace();
    const Lane& lane = trace.lane(trace.laneOf(m_gap.next));
    const std::int64_t earlier = earlierLaunch();
    const std::int64_t after = earlier == INT64_MIN ? INT64_MIN : earlier + 1;
    for (const StreamWait& wait : m_index.streamWaits(m_gap.device, lane.sourceId, after, m_launchBegin)) {
        if (!wait.source)
            continue;
        const bool elsewhere = trace.lane(trace.laneOf(wait.source)).device != m_gap.device;
        if (!releases(wait.source) && !(elsewhere && m_events.endNs[wait.source.v] <= m_gap.range.end.v))
            continue;
        if (!result.source || m_events.endNs[wait.source.v] > m_events.endNs[result.source.v])
            result = {GapCause::StreamDependency, false, wait.source, wait.call, wait.recordCall, {}};
    }
    return static_cast<bool>(result.source);
}

// The operation that the thread submitted last before `before`, on any device.
EventId DeviceRules::lastLaunchedBy(ThreadId thread, std::int64_t before) const {
    EventId best;
    for (const DeviceIndex& device : m_index.devices()) {
        const Submits* submits = device.submitsOf(thread);
        if (submits == nullptr)
            continue;
        const auto at =
            std::lower_bound(submits->calls.begin(), submits->calls.end(), before,
                             [this](EventId c, std::int64_t t) { return m_events.beginNs[c.v] < t; });
        if (at != submits->calls.begin() &&
            (!best || m_events.beginNs[best.v] < m_events.beginNs[std::prev(at)->v]))
            best = *std::prev(at);
    }
    if (!best)
        return {};
    const auto ops = m_index.trace().correlations().deviceOps(m_events.correlation[best.v]);
    return *std::max_element(ops.begin(), ops.end(), [this](EventId a, EventId b) {
        return m_events.endNs[a.v] < m_events.endNs[b.v];
    });
}

// Kineto by default writes no sync rows: a wait call then names neither stream nor event. It is taken as a
// wait of the next operation's stream for what the thread had submitted when it last recorded an event.
bool DeviceRules::dependencyByOrder(DeviceSide& result) const {
    if (!m_gap.thread || !m_gap.launch)
        return false;
    const HostTree& tree = m_index.tree();
    const ThreadCalls& calls = m_index.rows().calls(m_gap.thread);
    const auto begins = [&](HostRow row, std::int64_t t) { return tree.range(row).begin.v < t; };
    if (calls.streamWaits.empty())
        return false;
    auto wait = std::lower_bound(calls.streamWaits.begin(), calls.streamWaits.end(), m_launchBegin, begins);
    if (wait == calls.streamWaits.begin())
        return false;
    const LaneId stream = m_index.trace().laneOf(m_gap.next);
    const std::int64_t earlier = earlierLaunch();
    for (; wait != calls.streamWaits.begin() && tree.range(*std::prev(wait)).begin.v > earlier; --wait) {
        const HostRow call = *std::prev(wait);
        if (m_index.hasMarkerFor(tree.event(call)))
            continue;
        const auto record = std::lower_bound(calls.eventRecords.begin(), calls.eventRecords.end(),
                                             tree.range(call).begin.v, begins);
        if (record == calls.eventRecords.begin())
            return false;
        const EventId recordCall = tree.event(*std::prev(record));
        const EventId source = lastLaunchedBy(m_gap.thread, m_events.beginNs[recordCall.v]);
        if (source && m_index.trace().laneOf(source) != stream && releases(source)) {
            result = {GapCause::StreamDependency, true, source, tree.event(call), recordCall, {}};
            return true;
        }
    }
    return false;
}

// Something but an OS call ran on a thread of CUDA's own for at least half of the part.
bool DeviceRules::hostCallback(DeviceSide& result) const {
    const HostTree& tree = m_index.tree();
    const TimeRange part{m_from, m_gap.range.end};
    const ProcessId process = m_index.trace().devices()[m_gap.device.v].process;
    bool found = false;
    m_index.callbackThreads(process).visitActive(part, [&](ThreadId thread) {
        if (thread == m_gap.thread)
            return true;
        std::int64_t ns = 0;
        EventId longest;
        tree.visitLeaves(thread, part, [&](TimeRange range, HostRow row) {
            if (!row || tree.kind(row) == EventKind::OsRuntime || tree.kind(row) == EventKind::Overhead)
                return;
            ns += range.length().v;
            if (!longest || m_events.duration(longest) < m_events.duration(tree.event(row)))
                longest = tree.event(row);
        });
        if (ns > 0 && static_cast<double>(ns) >=
                          m_index.thresholds().callbackShare * static_cast<double>(part.length().v)) {
            result = {GapCause::HostCallback, false, {}, {}, {}, longest};
            found = true;
        }
        return !found;
    });
    return found;
}

bool DeviceRules::unrecordedWork(DeviceSide& result) const {
    const EventId before = m_index.launchOf(m_gap.previous);
    const std::int64_t from = before ? m_events.beginNs[before.v] : INT64_MIN;
    const auto suspects = m_index.suspectLaunches(m_index.trace().devices()[m_gap.device.v].process);
    const auto at =
        std::lower_bound(suspects.begin(), suspects.end(), from,
                         [this](EventId call, std::int64_t t) { return m_events.beginNs[call.v] < t; });
    if (at == suspects.end() || m_events.beginNs[at->v] >= m_launchBegin)
        return false;
    result = {GapCause::PossiblyUnrecordedWork, false, {}, {}, {}, *at};
    return true;
}

} // namespace

std::uint64_t LatencyTable::keyOf(const GapIndex& index, const Gap& gap) {
    const EventTable& events = index.events();
    const std::uint64_t name = gap.launch ? events.name[gap.launch.v].v : EventId::kNone;
    return name << 8 | static_cast<std::uint64_t>(events.kind[gap.previous.v]);
}

LatencyTable::LatencyTable(const GapIndex& index, std::span<const Gap> gaps, const JobControl& job) {
    const EventTable& events = index.events();
    std::unordered_map<std::uint64_t, WorkColumn<std::int64_t>> queued;
    std::unordered_map<std::uint32_t, WorkColumn<std::int64_t>> uncontended;
    RowPoll poll(job);
    for (const Gap& gap : gaps) {
        if (!poll.tick())
            return;
        if (isQueued(gap))
            queued[keyOf(index, gap)].push_back(gap.length().v);
        else if (gap.launch && events.beginNs[gap.launch.v] >= gap.range.begin.v &&
                 events.endNs[gap.launch.v] <= gap.range.end.v)
            uncontended[events.name[gap.launch.v].v].push_back(gap.range.end.v -
                                                               events.beginNs[gap.launch.v]);
    }
    for (auto& [key, samples] : queued) {
        if (job.cancelled())
            return;
        m_switch[key] = {samples.size(), lowerMedian(samples)};
    }
    for (auto& [name, samples] : uncontended) {
        if (job.cancelled())
            return;
        m_uncontended[name] = lowerMedian(samples);
    }
}

std::int64_t LatencyTable::switchLimitNs(const GapIndex& index, const Gap& gap) const {
    const GapThresholds& t = index.thresholds();
    const auto at = m_switch.find(keyOf(index, gap));
    if (at == m_switch.end() || at->second.samples < t.latencyMinSamples)
        return t.latencyUnknownNs;
    const auto median = static_cast<double>(at->second.medianNs);
    return std::max(t.latencyFloorNs, static_cast<std::int64_t>(t.latencyMedianFactor * median));
}

std::int64_t LatencyTable::uncontendedNs(StringId callName) const {
    const auto at = m_uncontended.find(callName.v);
    return at == m_uncontended.end() ? 0 : at->second;
}

DeviceSide explainDevice(const GapIndex& index, const LatencyTable& latency, const Gap& gap, TimeNs from) {
    DeviceSide result;
    const DeviceRules rules(index, gap, from);
    if (index.options().markerDependencies && (rules.dependency(result) || rules.dependencyByOrder(result)))
        return result;
    if (rules.hostCallback(result))
        return result;
    if ((gap.range.end - from).v <= latency.switchLimitNs(index, gap)) {
        result.cause = GapCause::LaunchLatency;
        return result;
    }
    rules.unrecordedWork(result);
    return result;
}

} // namespace lacuna::gaps
