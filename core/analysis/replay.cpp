#include "core/analysis/replay.h"

#include "core/trace/union_of.h"

#include <algorithm>

namespace lacuna {

namespace {

constexpr std::int64_t kNever = INT64_MIN; // end of nothing: it holds nobody

constexpr std::array<std::string_view, 7> kReplayLimits{
    "Kernels last as long as recorded, and contention between them does not change.",
    "Data dependencies are ignored: a value that decides what is done next cannot simply go.",
    "The limit of 1,024 launches in a queue is ignored.",
    "Other ranks stay as recorded.",
    "Host code is as fast as recorded; after a wait it often runs slower, so more may be saved.",
    "The profiler slows the host but not the GPU: without it less host time is left to save.",
    "Savings do not add up: removing two things saves more or less than the sum of both.",
};

class Replay {
public:
    Replay(const ReplayModel& model, const ReplayChange& change)
        : m_model(model), m_change(change), m_events(model.trace().events()), m_shift(model.hosts(), 0),
          m_nextHostTime(model.hosts(), 0), m_atCall(model.calls().size(), 0),
          m_atWait(model.waits().size(), 0), m_stepStarts(model.steps().events.size()) {
        m_result.startNs.assign(model.ops().size(), kNever);
        m_result.endNs.assign(model.ops().size(), kNever);
    }

    void take(const ReplayPoint& point) {
        switch (point.what) {
        case ReplayPoint::What::WaitEnd:
            endWait(point.index);
            break;
        case ReplayPoint::What::WaitBegin:
            m_atWait[point.index] = shiftAt(m_model.waits()[point.index].host, point.timeNs);
            break;
        case ReplayPoint::What::Call:
            m_atCall[point.index] = shiftAt(m_model.calls()[point.index].host, point.timeNs);
            break;
        case ReplayPoint::What::Op:
            runOp(point.index);
            break;
        }
    }

    ReplayResult finish() {
        if (m_ends.first == kNever) // nothing remains
            m_ends = {};
        m_result.recordedEndNs = m_ends.first;
        m_result.replayedEndNs = m_ends.second;
        setStepPeriod();
        return std::move(m_result);
    }

private:
    struct Start {
        bool isKnown = false;
        std::int64_t recordedNs = 0, newNs = 0;
    };

    // The host's shift, after the removed time that ended by then.
    std::int64_t& shiftAt(std::uint32_t host, std::int64_t time) {
        if (!m_change.hostTime.empty()) {
            const std::vector<TimeRange>& gone = m_change.hostTime[host];
            for (std::size_t& next = m_nextHostTime[host]; next < gone.size() && gone[next].end.v <= time;
                 ++next)
                m_shift[host] += gone[next].length().v;
        }
        return m_shift[host];
    }

    void endWait(std::uint32_t index) {
        const ReplayWait& wait = m_model.waits()[index];
        std::int64_t& shift = shiftAt(wait.host, wait.range.end.v);
        const auto fate = m_change.waits.empty() ? ReplayChange::Wait::Stays : m_change.waits[index];
        const std::int64_t begin = wait.range.begin.v - m_atWait[index];
        if (fate == ReplayChange::Wait::Ignored)
            return;
        if (fate == ReplayChange::Wait::Goes) {
            shift = wait.range.end.v - begin;
            return;
        }
        if (wait.released == kNoReplayItem) // nothing was pending: a call like any other
            return;
        std::int64_t end = begin;
        if (const std::int64_t released = m_result.endNs[wait.released]; released != kNever) {
            const std::int64_t rho = wait.range.end.v - m_events.endNs[m_model.ops()[wait.released].event.v];
            end = std::max(end, released + rho);
        }
        shift = std::max<std::int64_t>(0, wait.range.end.v - end);
    }

    std::int64_t freeAt(const ReplayOp& op) const {
        std::int64_t end = kNever;
        for (const std::uint32_t other : {op.before, op.source})
            if (other != kNoReplayItem)
                end = std::max(end, m_result.endNs[other]);
        return end;
    }

    void runOp(std::uint32_t index) {
        const ReplayOp& op = m_model.ops()[index];
        const auto changed = m_change.ops.find(index);
        const ReplayChange::Op fate = changed == m_change.ops.end() ? ReplayChange::Op{} : changed->second;
        const TimeRange recorded = m_events.range(op.event);
        const std::int64_t free = freeAt(op);
        if (fate.isGone) {
            m_result.startNs[index] = m_result.endNs[index] = free;
            return;
        }
        std::int64_t start = recorded.begin.v;
        if (op.call != kNoReplayItem) {
            std::int64_t lambda = op.lambdaNs, delta = op.deltaNs;
            if (m_change.launchLatency) {
                lambda = std::min(lambda, m_model.lambda50Ns());
                if (!op.isQueued && !m_model.delta50Ns()) // what stood for the switch was the latency
                    delta = std::min(delta, lambda);
            }
            if (fate.isPinned) {
                lambda = m_model.lambda50Ns();
                delta = m_model.delta50Ns().value_or(std::min(delta, lambda));
            }
            const std::int64_t begin = m_events.beginNs[m_model.calls()[op.call].event.v];
            start = saturatingAdd(saturatingAdd(begin, lambda), -m_atCall[op.call]);
            if (free != kNever)
                start = std::max(start, saturatingAdd(free, delta));
        }
        const std::int64_t end = start + fate.durationNs.value_or(recorded.length().v);
        m_result.startNs[index] = start;
        m_result.endNs[index] = end;
        m_ends = {std::max(m_ends.first, recorded.end.v), std::max(m_ends.second, end)};
        if (op.call == kNoReplayItem)
            return;
        if (const std::uint32_t step = m_model.calls()[op.call].step;
            step != kNoReplayItem && !m_stepStarts[step].isKnown)
            m_stepStarts[step] = {true, recorded.begin.v, start};
    }

    void setStepPeriod() {
        const auto isKnown = [](const Start& start) { return start.isKnown; };
        if (m_stepStarts.size() < 3)
            return;
        const auto first = std::find_if(m_stepStarts.begin() + 1, m_stepStarts.end(), isKnown);
        const auto last = std::find_if(m_stepStarts.rbegin(), m_stepStarts.rend(), isKnown);
        const std::int64_t steps = last.base() - first - 1;
        if (first == m_stepStarts.end() || steps < 1)
            return;
        m_result.stepPeriod = {(last->recordedNs - first->recordedNs) / steps,
                               (last->newNs - first->newNs) / steps};
    }

    const ReplayModel& m_model;
    const ReplayChange& m_change;
    const EventTable& m_events;
    std::vector<std::int64_t> m_shift;                            // by host sequence
    std::vector<std::size_t> m_nextHostTime;                      // by host sequence
    Column<std::int64_t> m_atCall, m_atWait;                      // shift when they began
    std::vector<Start> m_stepStarts;                              // first operation that remains
    std::pair<std::int64_t, std::int64_t> m_ends{kNever, kNever}; // recorded, replayed
    ReplayResult m_result;
};

} // namespace

Result<ReplayResult> replay(const ReplayModel& model, const ReplayChange& change, JobControl& job) {
    Replay run(model, change);
    RowPoll poll(job);
    for (const ReplayPoint& point : model.points()) {
        if (!poll.tick())
            return cancelledError();
        run.take(point);
    }
    return run.finish();
}

void ReplayChange::join(const ReplayChange& other, const JobControl& job) {
    RowPoll poll(job);
    if (waits.empty())
        waits = other.waits;
    for (std::size_t i = 0; i < other.waits.size(); ++i)
        waits[i] = std::max(waits[i], other.waits[i]);
    for (const auto& [op, change] : other.ops) {
        if (!poll.tick())
            return;
        Op& mine = ops[op];
        mine.isGone = mine.isGone || change.isGone;
        mine.isPinned = mine.isPinned || change.isPinned;
        if (change.durationNs)
            mine.durationNs = change.durationNs;
    }
    hostTime.resize(std::max(hostTime.size(), other.hostTime.size()));
    for (std::size_t host = 0; host < other.hostTime.size(); ++host) {
        std::vector<TimeRange> both = hostTime[host];
        both.insert(both.end(), other.hostTime[host].begin(), other.hostTime[host].end());
        auto united = unionOf(std::move(both), poll);
        if (!united)
            return;
        hostTime[host] = united->takeRanges();
    }
    launchLatency = launchLatency || other.launchLatency;
}

std::span<const std::string_view> replayLimits() {
    return kReplayLimits;
}

} // namespace lacuna
