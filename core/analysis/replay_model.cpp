#include "core/analysis/replay_model.h"

#include "core/analysis/replay_waits.h"
#include "core/base/lower_median.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <tuple>

namespace lacuna {

using namespace gaps;

namespace {

constexpr std::int64_t kQueuedInTimeNs = 5'000; // submitted at least this long before the queue ran to it
constexpr std::int64_t kUnknownLatencyNs = 10'000;

} // namespace

struct ReplayModelBuilder {
    ReplayModel& model;
    const GapIndex& index;
    const Trace& trace;
    const EventTable& events;
    JobControl& job;
    RowPoll poll{job};
    LaneCursor callLanes{trace};

    bool addOps();
    void addCall(ReplayOp& op);
    bool linkStreams();
    bool linkSources();
    void linkByMarkers(ReplayOp& op, LaneCursor& lanes) const;
    bool linkByOrder();
    bool learnLatencies();
    bool splitDelays();
    bool addWaits();
    bool addSteps();
    bool addPoints();

    std::int64_t callBegin(const ReplayOp& op) const {
        return op.call == kNoReplayItem ? INT64_MIN : events.beginNs[model.m_calls[op.call].event.v];
    }
};

std::uint32_t ReplayModel::hostOf(ThreadId thread) const {
    const ProcessId process = trace().threads()[thread.v].process;
    return process ? process.v : static_cast<std::uint32_t>(trace().processes().size());
}

std::optional<std::int64_t> ReplayModel::queuedBehind(const ReplayOp& op) const {
    std::optional<std::int64_t> end;
    for (const std::uint32_t other : {op.before, op.source})
        if (other != kNoReplayItem)
            end = std::max(end.value_or(INT64_MIN), trace().events().endNs[m_ops[other].event.v]);
    return end;
}

// Device by device in order of time already; several devices are merged by a sort.
bool ReplayModelBuilder::addOps() {
    std::vector<EventId> all;
    std::size_t count = 0;
    for (const DeviceIndex& device : index.devices())
        count += device.ops.size();
    all.reserve(count);
    for (const DeviceIndex& device : index.devices())
        all.insert(all.end(), device.ops.begin(), device.ops.end());
    const bool isSorted = sortRows(all, poll, [&](EventId a, EventId b) {
        return std::tuple(events.beginNs[a.v], events.source[a.v], a.v) <
               std::tuple(events.beginNs[b.v], events.source[b.v], b.v);
    });
    if (!isSorted)
        return false;
    model.m_number.assign(events.size(), kNoReplayItem);
    model.m_submits.assign(trace.threads().size(), false);
    model.m_ops.reserve(count);
    model.m_calls.reserve(count); // what stays untouched costs nothing
    for (const EventId event : all) {
        if (!poll.tick())
            return false;
        model.m_number[event.v] = static_cast<std::uint32_t>(model.m_ops.size());
        model.m_ops.push_back({});
        model.m_ops.back().event = event;
        addCall(model.m_ops.back());
    }
    return true;
}

void ReplayModelBuilder::addCall(ReplayOp& op) {
    const EventId call = index.launchOf(op.event);
    if (!call)
        return;
    std::uint32_t& number = model.m_number[call.v];
    if (number == kNoReplayItem) {
        const ThreadId thread = trace.lane(callLanes.of(call)).thread;
        if (!thread)
            return;
        number = static_cast<std::uint32_t>(model.m_calls.size());
        model.m_calls.push_back({call, thread, model.hostOf(thread), kNoReplayItem});
        model.m_submits[thread.v] = true;
    }
    op.call = number;
}

bool ReplayModelBuilder::linkStreams() {
    std::vector<std::uint32_t> last(trace.lanes().size(), kNoReplayItem);
    LaneCursor lanes(trace);
    for (std::uint32_t i = 0; i < model.m_ops.size(); ++i) {
        if (!poll.tick())
            return false;
        std::uint32_t& before = last[lanes.of(model.m_ops[i].event).v];
        model.m_ops[i].before = before;
        before = i;
    }
    return true;
}

// What the stream waited for between the submission of the operation before and that of this one.
void ReplayModelBuilder::linkByMarkers(ReplayOp& op, LaneCursor& lanes) const {
    const Lane& lane = trace.lane(lanes.of(op.event));
    const std::int64_t before = op.before == kNoReplayItem ? INT64_MIN : callBegin(model.m_ops[op.before]);
    const std::int64_t after = before == INT64_MIN ? INT64_MIN : before + 1;
    for (const StreamWait& wait : index.streamWaits(lane.device, lane.sourceId, after, callBegin(op))) {
        if (!wait.source)
            continue;
        const std::uint32_t source = model.m_number[wait.source.v];
        // One that had not ended did not hold it.
        if (source == kNoReplayItem || events.endNs[wait.source.v] > events.beginNs[op.event.v])
            continue;
        if (op.source == kNoReplayItem ||
            events.endNs[model.m_ops[op.source].event.v] < events.endNs[wait.source.v])
            op.source = source;
    }
}

bool ReplayModelBuilder::linkSources() {
    if (index.hasStreamWaits()) {
        LaneCursor lanes(trace);
        for (ReplayOp& op : model.m_ops) {
            if (!poll.tick())
                return false;
            if (op.call != kNoReplayItem)
                linkByMarkers(op, lanes);
        }
    }
    return linkByOrder() && !job.cancelled();
}

// Without markers a wait call names neither stream nor event (rule D1): the thread's next launch is taken to
// wait for what the thread had submitted when it last recorded an event, if that ran on another stream and
// had ended.
bool ReplayModelBuilder::linkByOrder() {
    std::vector<std::vector<std::uint32_t>> launches(trace.threads().size()); // operations by thread
    bool isAsked = false;
    for (std::uint32_t t = 0; t < launches.size(); ++t)
        isAsked = isAsked || !index.rows().calls(ThreadId{t}).streamWaits.empty();
    if (!isAsked)
        return true;
    for (std::uint32_t i = 0; i < model.m_ops.size(); ++i) {
        if (!poll.tick())
            return false;
        if (model.m_ops[i].call != kNoReplayItem)
            launches[model.m_calls[model.m_ops[i].call].thread.v].push_back(i);
    }
    const auto submittedBefore = [&](std::uint32_t op, std::int64_t time) {
        return callBegin(model.m_ops[op]) < time;
    };
    for (std::uint32_t t = 0; t < launches.size(); ++t) {
        const ThreadCalls& calls = index.rows().calls(ThreadId{t});
        const bool isSorted = sortRows(launches[t], poll, [&](std::uint32_t a, std::uint32_t b) {
            return callBegin(model.m_ops[a]) < callBegin(model.m_ops[b]);
        });
        if (!isSorted)
            return false;
        const std::vector<std::uint32_t>& own = launches[t];
        for (const HostRow wait : calls.streamWaits) {
            if (!poll.tick())
                return false;
            if (index.hasMarkerFor(index.tree().event(wait)))
                continue;
            const std::int64_t begin = index.tree().range(wait).begin.v;
            const auto record = std::lower_bound(
                calls.eventRecords.begin(), calls.eventRecords.end(), begin,
                [&](HostRow row, std::int64_t time) { return index.tree().range(row).begin.v < time; });
            if (record == calls.eventRecords.begin())
                continue;
            const std::int64_t recorded = index.tree().range(*std::prev(record)).begin.v;
            const auto source = std::lower_bound(own.begin(), own.end(), recorded, submittedBefore);
            const auto next = std::lower_bound(own.begin(), own.end(), begin, submittedBefore);
            if (source == own.begin() || next == own.end())
                continue;
            ReplayOp& op = model.m_ops[*next];
            const EventId released = model.m_ops[*std::prev(source)].event;
            if (op.source == kNoReplayItem && trace.laneOf(released) != trace.laneOf(op.event) &&
                events.endNs[released.v] <= events.beginNs[op.event.v])
                op.source = *std::prev(source);
        }
    }
    return true;
}

bool ReplayModelBuilder::learnLatencies() {
    std::vector<std::int64_t> latencies, switches;
    std::int64_t least = kUnknownLatencyNs;
    for (const ReplayOp& op : model.m_ops) {
        if (!poll.tick())
            return false;
        if (op.call == kNoReplayItem)
            continue;
        const std::int64_t start = events.beginNs[op.event.v], l0 = callBegin(op);
        const std::int64_t l1 = events.endNs[model.m_calls[op.call].event.v];
        const std::optional<std::int64_t> p = model.queuedBehind(op);
        least = std::min(least, start - l0);
        if (!p || *p <= l0)
            latencies.push_back(start - l0);
        const bool sameLaunch = op.before != kNoReplayItem && model.m_ops[op.before].call == op.call;
        if (p && *p >= l1 + kQueuedInTimeNs && !sameLaunch)
            switches.push_back(start - *p);
    }
    if (job.cancelled())
        return false;
    model.m_lambda50 = latencies.empty() ? least : lowerMedian(latencies);
    if (job.cancelled())
        return false;
    if (!switches.empty())
        model.m_delta50 = lowerMedian(switches);
    return !job.cancelled();
}

bool ReplayModelBuilder::splitDelays() {
    for (ReplayOp& op : model.m_ops) {
        if (!poll.tick())
            return false;
        if (op.call == kNoReplayItem)
            continue;
        const std::int64_t start = events.beginNs[op.event.v], l0 = callBegin(op);
        const std::optional<std::int64_t> p = model.queuedBehind(op);
        op.lambdaNs = start - l0;
        if (!p)
            continue;
        const std::int64_t fromQueue = start - *p;
        op.isQueued = *p + model.m_delta50.value_or(0) >= l0 + model.m_lambda50;
        if (op.isQueued) {
            op.deltaNs = fromQueue;
            op.lambdaNs = std::min(model.m_lambda50, op.lambdaNs);
        } else {
            op.deltaNs = std::min(fromQueue, model.m_delta50.value_or(op.lambdaNs));
        }
    }
    return true;
}

bool ReplayModelBuilder::addWaits() {
    auto waits = replayWaits(model, job);
    if (!waits)
        return false;
    model.m_waits = std::move(*waits);
    return true;
}

bool ReplayModelBuilder::addSteps() {
    model.m_steps = findSteps(trace, job);
    const std::vector<EventId>& steps = model.m_steps.events;
    for (ReplayCall& call : model.m_calls) {
        if (!poll.tick())
            return false;
        const std::int64_t begin = events.beginNs[call.event.v];
        // A mark may end a little after the next one began: the later one counts.
        const auto after =
            std::upper_bound(steps.begin(), steps.end(), begin,
                             [&](std::int64_t t, EventId step) { return t < events.beginNs[step.v]; });
        if (after != steps.begin() && begin < events.endNs[std::prev(after)->v])
            call.step = static_cast<std::uint32_t>(std::prev(after) - steps.begin());
    }
    return !job.cancelled();
}

bool ReplayModelBuilder::addPoints() {
    using What = ReplayPoint::What;
    Column<ReplayPoint>& points = model.m_points;
    points.reserve(model.m_ops.size() + model.m_calls.size() + 2 * model.m_waits.size());
    for (std::uint32_t i = 0; i < model.m_calls.size(); ++i) {
        if (!poll.tick())
            return false;
        points.push_back({events.beginNs[model.m_calls[i].event.v], i, What::Call});
    }
    for (std::uint32_t i = 0; i < model.m_waits.size(); ++i) {
        if (!poll.tick())
            return false;
        points.push_back({model.m_waits[i].range.begin.v, i, What::WaitBegin});
        points.push_back({model.m_waits[i].range.end.v, i, What::WaitEnd});
    }
    // Clocks may disagree: a call comes before its operations whatever its time says.
    for (std::uint32_t i = 0; i < model.m_ops.size(); ++i) {
        if (!poll.tick())
            return false;
        const ReplayOp& op = model.m_ops[i];
        const std::int64_t begin = events.beginNs[op.event.v];
        if (op.call != kNoReplayItem)
            points[op.call].timeNs = std::min(points[op.call].timeNs, begin);
        points.push_back({begin, i, What::Op});
    }
    // Calls, waits and operations are each in order, nearly.
    const bool isSorted = sortRows(points, poll, [](const ReplayPoint& a, const ReplayPoint& b) {
        return std::tie(a.timeNs, a.what, a.index) < std::tie(b.timeNs, b.what, b.index);
    });
    return isSorted && !job.cancelled();
}

Result<std::shared_ptr<const ReplayModel>> ReplayModel::build(std::shared_ptr<const Trace> trace,
                                                              JobControl& job) {
    auto index = GapIndex::build(std::move(trace), {}, job);
    return index ? build(*std::move(index), job) : index.error();
}

Result<std::shared_ptr<const ReplayModel>> ReplayModel::build(std::shared_ptr<const GapIndex> index,
                                                              JobControl& job) {
    std::shared_ptr<ReplayModel> model(new ReplayModel);
    model->m_index = std::move(index);
    ReplayModelBuilder builder{*model, *model->m_index, model->trace(), model->trace().events(), job};
    if (!builder.addOps() || !builder.linkStreams() || !builder.linkSources() || !builder.learnLatencies() ||
        !builder.splitDelays() || !builder.addSteps() || !builder.addWaits() || !builder.addPoints())
        return cancelledError();
    return std::shared_ptr<const ReplayModel>(std::move(model));
}

} // namespace lacuna
