#include "core/analysis/replay_waits.h"

#include "core/trace/sort_rows.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lacuna {

using namespace gaps;

namespace {

// What a call can have waited for; from its marker where the file has one.
struct WaitScope {
    LaneId stream;       // only this stream; none: every one
    EventId op;          // exactly this operation; none
    bool isKnown = true; // false: the marker tells of a stream that did no work
};

class WaitFinder {
public:
    WaitFinder(const ReplayModel& model, JobControl& job)
        : m_model(model), m_index(model.index()), m_trace(model.trace()), m_events(m_trace.events()),
          m_poll(job) {
        for (std::uint32_t i = 0; i < m_trace.lanes().size(); ++i)
            if (const Lane& lane = m_trace.lanes()[i]; lane.kind == LaneKind::GpuStream)
                m_streams.try_emplace({lane.device, lane.sourceId}, LaneId{i});
    }

    // Before the first thread. False: cancelled.
    bool sortByEnd() {
        m_byEnd.reserve(m_model.ops().size());
        for (std::uint32_t i = 0; i < m_model.ops().size(); ++i) {
            if (!m_poll.tick())
                return false;
            m_byEnd.push_back({endOf(i), i});
        }
        return sortRows(m_byEnd, m_poll, [](const EndedOp& a, const EndedOp& b) {
            return a.endNs != b.endNs ? a.endNs < b.endNs : a.op < b.op;
        });
    }

    bool addThread(ThreadId thread, std::vector<ReplayWait>& waits) {
        for (const HoldingCall& call : m_index.rows().calls(thread).holding) {
            ReplayWait wait;
            wait.event = m_index.tree().event(call.row);
            wait.row = call.row;
            wait.thread = thread;
            wait.host = m_model.hostOf(thread);
            wait.hold = call.hold;
            wait.range = {{call.begin}, {call.end}};
            wait.released = call.hold == Hold::Copy ? ownCopy(wait) : releasedBy(wait, scopeOf(wait.event));
            // A call that frees memory waits in effect only where an operation ended as it returned.
            const std::int64_t epsilon = m_index.thresholds().drainEpsilonNs;
            if (call.hold == Hold::MayWait &&
                (wait.released == kNoReplayItem || endOf(wait.released) < call.end - epsilon))
                continue;
            waits.push_back(wait);
            if (!m_poll.tick())
                return false;
        }
        return true;
    }

private:
    struct EndedOp {
        std::int64_t endNs = 0;
        std::uint32_t op = 0;
    };

    std::int64_t endOf(std::uint32_t op) const { return m_events.endNs[m_model.ops()[op].event.v]; }

    // A copy of pageable memory holds its thread while it runs, and returns a little before it ends.
    std::uint32_t ownCopy(const ReplayWait& wait) const {
        std::uint32_t last = kNoReplayItem;
        for (const EventId event : m_trace.correlations().deviceOps(m_events.correlation[wait.event.v])) {
            const std::uint32_t op = m_model.numberOf(event);
            if (op != kNoReplayItem && m_events.beginNs[event.v] < wait.range.end.v &&
                (last == kNoReplayItem || endOf(op) > endOf(last)))
                last = op;
        }
        return last;
    }

    WaitScope scopeOf(EventId call) const {
        WaitScope scope;
        const CorrelationIndex& groups = m_trace.correlations();
        const std::uint32_t group = m_events.correlation[call.v];
        for (const EventId marker : groups.markers(group)) {
            const SyncArgs* args = m_trace.hotArgs().syncs.find(marker);
            if (args == nullptr)
                continue;
            const DeviceId device = m_trace.lane(m_trace.laneOf(marker)).device;
            if (args->kind == SyncKind::Stream && args->stream >= 0) {
                scope.stream = streamLane(device, args->stream);
                scope.isKnown = static_cast<bool>(scope.stream);
            } else if (args->kind == SyncKind::Event && args->recordCorrelation >= 0) {
                scope.op = recordedBefore(
                    groups.find(groups.domain(group), static_cast<std::uint32_t>(args->recordCorrelation)));
            }
        }
        return scope;
    }
    LaneId streamLane(DeviceId device, std::int64_t stream) const {
        const auto at = m_streams.find({device, stream});
        return at == m_streams.end() ? LaneId{} : at->second;
    }
    // The operation that an event stands behind: the last of the stream that submitted before the record.
    EventId recordedBefore(std::uint32_t recordGroup) const {
        const CorrelationIndex& groups = m_trace.correlations();
        const auto calls = groups.hostCalls(recordGroup);
        if (calls.empty())
            return {};
        for (const EventId marker : groups.markers(recordGroup))
            if (const SyncArgs* record = m_trace.hotArgs().syncs.find(marker);
                record != nullptr && record->stream >= 0)
                if (const LaneId lane =
                        streamLane(m_trace.lane(m_trace.laneOf(marker)).device, record->stream))
                    return m_index.lastSubmitted(lane, m_events.beginNs[calls.front().v]);
        return {};
    }

    bool isSubmittedBy(const ReplayOp& op, const ReplayWait& wait) const {
        if (op.call != kNoReplayItem) {
            const ReplayCall& call = m_model.calls()[op.call];
            return call.host == wait.host && m_events.beginNs[call.event.v] <= wait.range.begin.v;
        }
        const ProcessId process = m_trace.lane(m_trace.laneOf(op.event)).process;
        return !process || process == m_trace.threads()[wait.thread.v].process;
    }

    // The operation with the latest end while the call waited, among those submitted before it.
    std::uint32_t releasedBy(const ReplayWait& wait, const WaitScope& scope) {
        if (!scope.isKnown)
            return kNoReplayItem;
        auto at = std::upper_bound(m_byEnd.begin(), m_byEnd.end(), wait.range.end.v,
                                   [](std::int64_t t, const EndedOp& op) { return t < op.endNs; });
        for (; at != m_byEnd.begin() && std::prev(at)->endNs > wait.range.begin.v; --at) {
            const std::uint32_t number = std::prev(at)->op;
            const ReplayOp& op = m_model.ops()[number];
            if (!m_poll.tick()) // addThread() ends at its own
                return kNoReplayItem;
            if (m_events.beginNs[op.event.v] >= wait.range.end.v || (scope.op && op.event != scope.op) ||
                (scope.stream && m_trace.laneOf(op.event) != scope.stream) || !isSubmittedBy(op, wait))
                continue;
            return number;
        }
        return kNoReplayItem;
    }

    const ReplayModel& m_model;
    const GapIndex& m_index;
    const Trace& m_trace;
    const EventTable& m_events;
    RowPoll m_poll;
    Column<EndedOp> m_byEnd;
    std::map<std::pair<DeviceId, std::int64_t>, LaneId> m_streams;
};

} // namespace

std::optional<std::vector<ReplayWait>> replayWaits(const ReplayModel& model, JobControl& job) {
    std::vector<ReplayWait> waits;
    WaitFinder finder(model, job);
    if (!finder.sortByEnd())
        return std::nullopt;
    for (std::uint32_t t = 0; t < model.trace().threads().size(); ++t)
        if (model.submits(ThreadId{t}) && !finder.addThread(ThreadId{t}, waits))
            return std::nullopt;
    if (job.cancelled())
        return std::nullopt;
    return waits;
}

} // namespace lacuna
