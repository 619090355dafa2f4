#include "core/analysis/hta_critical_path.h"

#include "core/analysis/hta_clock.h"
#include "core/analysis/hta_graph.h"
#include "core/trace/api_name.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace lacuna {

namespace {

constexpr std::array<std::string_view, kHtaEdges> kHtaEdgeNames{
    "critical_path_operator", "critical_path_dependency", "critical_path_kernel_launch_delay",
    "critical_path_kernel_kernel_delay", "critical_path_sync_dependency"};
constexpr std::array<std::string_view, kHtaBounds> kHtaBoundNames{"",
                                                                  "cpu_bound",
                                                                  "gpu_compute_bound",
                                                                  "gpu_communication_bound",
                                                                  "gpu_kernel_kernel_overhead",
                                                                  "gpu_kernel_launch_overhead"};

// Inner spans of these weigh nothing. By its source cudaMemcpyAsync should be among them, but the figures
// that it printed only come out without.
constexpr std::array<std::string_view, 5> kHtaWaits{"cudaDeviceSynchronize", "cudaStreamSynchronize",
                                                    "cudaEventQuery", "cudaEventSynchronize", "cudaMemcpy"};
constexpr std::array<std::string_view, 7> kHtaLaunches{
    "cudaLaunchKernel", "cudaLaunchKernelExC",         "cuLaunchKernel",
    "cuLaunchKernelEx", "cudaLaunchCooperativeKernel", "cudaMemcpyAsync",
    "cudaMemsetAsync"};

template <std::size_t N> bool isOneOf(std::string_view name, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

struct HtaEvent {
    EventId event;
    std::int64_t beginNs = 0, endNs = 0;
    bool isNode = false, isWait = false;
};

class HtaPathMaker {
public:
    HtaPathMaker(const Trace& trace, const HtaOptions& options, std::optional<TimeRange> window,
                 RowPoll& poll)
        : m_trace(trace), m_events(trace.events()), m_options(options), m_window(window), m_poll(poll),
          m_clock(trace, options, poll) {}

    HtaCriticalPath make() {
        findLastStep();
        collectHost();
        collectDevice();
        collectLaunches();
        addNodes();
        for (auto& [thread, rows] : m_threads)
            addCallStack(rows);
        countQueues();
        linkEvents();
        addDevice();
        return m_graph.result(m_trace, m_poll);
    }

private:
    // By time; of the same time in the order of the file.
    void addNodes() {
        std::vector<HtaGraph::Span> spans;
        const auto take = [&](const std::vector<HtaEvent>& rows) {
            for (const HtaEvent& row : rows)
                if (row.isNode)
                    spans.push_back({row.event, row.beginNs, row.endNs});
        };
        for (const auto& [thread, rows] : m_threads)
            take(rows);
        take(m_device);
        std::sort(spans.begin(), spans.end(), [&](const HtaGraph::Span& a, const HtaGraph::Span& b) {
            return m_events.source[a.event.v] < m_events.source[b.event.v];
        });
        m_graph.setNodes(spans);
    }

    std::int64_t beginOf(EventId e) const { return m_clock.begin(m_events.range(e)); }
    std::int64_t endOf(EventId e) const { return m_clock.end(m_events.range(e)); }
    EventId callOf(EventId row) const {
        const auto calls = m_trace.correlations().hostCalls(m_events.correlation[row.v]);
        return calls.empty() ? EventId{} : calls.front();
    }
    // What the call's correlation leads to: its first operation, else its marker.
    EventId workOfCall(EventId call) const {
        const std::uint32_t group = m_events.correlation[call.v];
        for (const auto& rows :
             {m_trace.correlations().deviceOps(group), m_trace.correlations().markers(group)})
            if (!rows.empty())
                return rows.front();
        return {};
    }
    bool isInWindow(std::int64_t begin) const {
        return begin < m_lastStepNs &&
               (!m_window || (begin >= m_window->begin.v && begin <= m_window->end.v));
    }

    void findLastStep() {
        if (!m_options.dropLastStep)
            return;
        if (const HtaSteps steps = htaSteps(m_trace, m_clock, m_poll); steps.several())
            m_lastStepNs = steps.lastBeginNs;
    }

    void collectHost() {
        for (const Strip& strip : m_trace.strips()) {
            const Lane& lane = m_trace.lane(strip.lane);
            if (!lane.thread || isDeviceLane(lane.kind))
                continue;
            for (EventId e = strip.first; e < strip.last && m_poll.tick(); ++e.v) {
                HtaEvent row{e, beginOf(e), endOf(e), false, false};
                if (row.endNs <= row.beginNs || !isInWindow(row.beginNs))
                    continue;
                row.isNode = m_events.kind[e.v] == EventKind::CpuOp || isHostCall(m_events.kind[e.v]);
                row.isWait = isOneOf(stripApiVersion(m_trace.nameOf(e)), kHtaWaits);
                m_threads[lane.thread].push_back(row);
            }
        }
    }

    void collectDevice() {
        for (const Strip& strip : m_trace.strips()) {
            const Lane& lane = m_trace.lane(strip.lane);
            if (lane.kind != LaneKind::GpuStream && lane.kind != LaneKind::GpuSync)
                continue;
            for (EventId e = strip.first; e < strip.last && m_poll.tick(); ++e.v) {
                const EventId call = callOf(e);
                if (!call)
                    continue;
                const SyncArgs* sync = m_trace.hotArgs().syncs.find(e);
                const bool isWaitEvent = sync != nullptr && sync->kind == SyncKind::StreamWaitEvent;
                if (sync != nullptr && sync->kind == SyncKind::EventRecord)
                    continue;
                if (!isWaitEvent && (!isInWindow(beginOf(call)) || endOf(call) <= beginOf(call)))
                    continue;
                // Markers without a stream are no nodes.
                m_device.push_back({e, beginOf(e), endOf(e), lane.sourceId >= 0, false});
            }
        }
        const auto key = [&](const HtaEvent& row) {
            return std::pair(m_events.kind[row.event.v] == EventKind::Sync ? row.endNs : row.beginNs,
                             m_events.source[row.event.v]);
        };
        std::sort(m_device.begin(), m_device.end(),
                  [&](const HtaEvent& a, const HtaEvent& b) { return key(a) < key(b); });
    }

    // Launching calls of the whole trace with an operation, by begin.
    void collectLaunches() {
        for (const Strip& strip : m_trace.strips()) {
            if (m_trace.lane(strip.lane).kind != LaneKind::CudaApi)
                continue;
            for (EventId e = strip.first; e < strip.last && m_poll.tick(); ++e.v)
                if (isOneOf(stripApiVersion(m_trace.nameOf(e)), kHtaLaunches) && workOfCall(e) &&
                    m_events.kind[workOfCall(e).v] != EventKind::Sync && beginOf(e) < m_lastStepNs)
                    m_launches.push_back(e);
        }
        std::sort(m_launches.begin(), m_launches.end(), [&](EventId a, EventId b) {
            return std::pair(beginOf(a), m_events.source[a.v]) < std::pair(beginOf(b), m_events.source[b.v]);
        });
        for (const EventId call : m_launches) {
            const std::int64_t stream = m_trace.lane(streamOf(workOfCall(call))).sourceId;
            m_byStream[stream].push_back(call);
            m_byThread[{m_trace.lane(m_trace.laneOf(call)).thread, stream}].push_back(call);
        }
    }

    // Boundaries of the thread's rows in nesting order; consecutive top-level operators depend on each other.
    void addCallStack(std::vector<HtaEvent>& rows) {
        std::sort(rows.begin(), rows.end(), [&](const HtaEvent& a, const HtaEvent& b) {
            return std::tuple(a.beginNs, -a.endNs, m_events.source[a.event.v]) <
                   std::tuple(b.beginNs, -b.endNs, m_events.source[b.event.v]);
        });
        std::vector<const HtaEvent*> open;
        std::uint32_t last = HtaGraph::kNone, lastTop = HtaGraph::kNone;
        std::size_t depth = 0;
        const auto leave = [&](const HtaEvent& row) {
            if (!row.isNode)
                return;
            --depth;
            const std::uint32_t end = m_graph.endOf(row.event);
            if (last != HtaGraph::kNone)
                m_graph.add(last, end, HtaEdge::Operator, row.isWait);
            last = depth == 0 ? HtaGraph::kNone : end;
            lastTop = depth == 0 ? end : lastTop;
        };
        for (const HtaEvent& row : rows) {
            for (; !open.empty() && open.back()->endNs <= row.beginNs; open.pop_back())
                leave(*open.back());
            open.push_back(&row);
            if (!row.isNode)
                continue;
            const std::uint32_t begin = m_graph.beginOf(row.event);
            if (depth == 0 && lastTop != HtaGraph::kNone)
                m_graph.add(lastTop, begin, HtaEdge::Dependency);
            ++depth;
            if (last != HtaGraph::kNone)
                m_graph.add(last, begin, HtaEdge::Operator);
            last = begin;
        }
        for (; !open.empty(); open.pop_back())
            leave(*open.back());
    }

    LaneId streamOf(EventId op) const { return m_trace.laneOf(op); }

    // Queue length at each launch and at each start, over the whole trace.
    void countQueues() {
        struct Change {
            std::int64_t timeNs;
            bool isStart;
            EventId event;
            LaneId stream;
        };
        std::vector<Change> changes;
        for (const EventId call : m_launches) {
            const EventId op = workOfCall(call);
            changes.push_back({beginOf(call), false, call, streamOf(op)});
            changes.push_back({beginOf(op), true, op, streamOf(op)});
        }
        std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
            return std::tuple(a.timeNs, a.isStart, a.event) < std::tuple(b.timeNs, b.isStart, b.event);
        });
        std::unordered_map<std::uint32_t, std::int64_t> length; // by lane
        for (const Change& change : changes)
            m_queue[change.event.v] = length[change.stream.v] += change.isStart ? -1 : 1;
    }

    // What an event stands for: the operation launched last on its stream before it was recorded.
    EventId recordedWork(const SyncArgs& sync, EventId marker) const {
        const CorrelationIndex& groups = m_trace.correlations();
        const std::uint32_t domain = groups.domain(m_events.correlation[marker.v]);
        if (sync.recordCorrelation < 0 || sync.sourceStream < 0)
            return {};
        const auto calls =
            groups.hostCalls(groups.find(domain, static_cast<std::uint32_t>(sync.recordCorrelation)));
        if (calls.empty())
            return {};
        const auto launches = m_byStream.find(sync.sourceStream);
        if (launches == m_byStream.end())
            return {};
        const auto after = firstAfter(launches->second, beginOf(calls.front()));
        return after == launches->second.begin() ? EventId{} : workOfCall(*std::prev(after));
    }
    std::vector<EventId>::const_iterator firstAfter(const std::vector<EventId>& launches,
                                                    std::int64_t time) const {
        return std::upper_bound(launches.begin(), launches.end(), time,
                                [&](std::int64_t t, EventId call) { return t < beginOf(call); });
    }

    // The next launch of the waiting thread on the waiting stream waits for the recorded work.
    void linkEvents() {
        for (const SyncArgs& sync : m_trace.hotArgs().syncs.rows()) {
            const EventId call = callOf(sync.event);
            if (sync.kind != SyncKind::StreamWaitEvent || !call || !m_poll.tick())
                continue;
            const ThreadId thread = m_trace.lane(m_trace.laneOf(call)).thread;
            const auto launches = m_byThread.find({thread, sync.stream});
            const EventId source = recordedWork(sync, sync.event);
            if (!source || launches == m_byThread.end())
                continue;
            if (const auto next = firstAfter(launches->second, beginOf(call)); next != launches->second.end())
                m_source[workOfCall(*next).v] = source;
        }
    }

    void addSync(const HtaEvent& row) {
        const SyncArgs* sync = m_trace.hotArgs().syncs.find(row.event);
        const std::uint32_t end = m_graph.endOf(callOf(row.event));
        if (sync == nullptr || end == HtaGraph::kNone)
            return;
        const auto hold = [&](std::uint32_t node) {
            if (node != HtaGraph::kNone)
                m_graph.add(node, end, HtaEdge::SyncDependency);
        };
        if (sync->kind == SyncKind::Event) {
            if (const EventId work = recordedWork(*sync, row.event))
                hold(m_graph.endOf(work));
        } else if (sync->kind == SyncKind::Stream) {
            const auto last = m_last.find(sync->stream);
            hold(last == m_last.end() ? HtaGraph::kNone : last->second);
        } else if (sync->kind == SyncKind::Context) {
            for (const std::int64_t stream : m_streams)
                hold(m_last.at(stream));
        }
    }

    void addOperation(const HtaEvent& row) {
        const std::int64_t stream = m_trace.lane(m_trace.laneOf(row.event)).sourceId;
        const std::uint32_t begin = m_graph.beginOf(row.event), end = m_graph.endOf(row.event);
        m_graph.add(begin, end, HtaEdge::Operator);
        const EventId call = callOf(row.event);
        const std::int64_t launched = beginOf(call);
        std::uint32_t source = HtaGraph::kNone;
        if (const auto at = m_source.find(row.event.v); at != m_source.end())
            source = m_graph.endOf(at->second);
        if (source != HtaGraph::kNone)
            m_graph.add(source, begin, HtaEdge::SyncDependency);
        const auto known = m_last.find(stream);
        const std::uint32_t last = known == m_last.end() ? HtaGraph::kNone : known->second;
        const auto isBefore = [&](std::uint32_t node, std::int64_t time) {
            return node == HtaGraph::kNone || m_graph.timeOf(node) < time;
        };
        const auto lengthAt = [&](EventId event) {
            const auto at = m_queue.find(event.v);
            return at == m_queue.end() ? std::int64_t{-1} : at->second;
        };
        const std::uint32_t callBegin = m_graph.beginOf(call);
        const bool isLate = lengthAt(call) == 1 && lengthAt(row.event) == 0 && isBefore(last, launched) &&
                            isBefore(source, launched);
        if (isLate && callBegin != HtaGraph::kNone)
            m_graph.add(callBegin, begin, HtaEdge::LaunchDelay);
        else if (!isLate && last != HtaGraph::kNone && isBefore(source, m_graph.timeOf(last)))
            m_graph.add(last, begin, HtaEdge::KernelDelay);
        if (!isLate && callBegin != HtaGraph::kNone)
            m_graph.add(callBegin, begin, HtaEdge::LaunchDelay, true);
        if (known == m_last.end())
            m_streams.push_back(stream);
        m_last[stream] = end;
    }

    void addDevice() {
        for (const HtaEvent& row : m_device) {
            if (m_events.kind[row.event.v] == EventKind::Sync)
                addSync(row);
            else
                addOperation(row);
        }
    }

    const Trace& m_trace;
    const EventTable& m_events;
    const HtaOptions& m_options;
    std::optional<TimeRange> m_window;
    RowPoll& m_poll;
    HtaClock m_clock;
    std::int64_t m_lastStepNs = INT64_MAX;
    std::map<ThreadId, std::vector<HtaEvent>> m_threads;
    std::vector<HtaEvent> m_device;  // by start, markers by end
    std::vector<EventId> m_launches; // by begin
    std::map<std::int64_t, std::vector<EventId>> m_byStream;
    std::map<std::pair<ThreadId, std::int64_t>, std::vector<EventId>> m_byThread;
    HtaGraph m_graph;
    std::unordered_map<std::uint32_t, std::int64_t> m_queue; // by call and operation
    std::unordered_map<std::uint32_t, EventId> m_source;     // by operation
    std::unordered_map<std::int64_t, std::uint32_t> m_last;  // by stream: end of its last operation
    std::vector<std::int64_t> m_streams;                     // in order of appearance
};

} // namespace

std::string_view htaEdgeName(HtaEdge type) {
    return kHtaEdgeNames[static_cast<std::size_t>(type)];
}

std::string_view htaBoundName(HtaBound bound) {
    return kHtaBoundNames[static_cast<std::size_t>(bound)];
}

Result<HtaCriticalPath> htaCriticalPath(const Trace& trace, const HtaOptions& options,
                                        std::optional<TimeRange> window, JobControl& job) {
    RowPoll poll(job);
    HtaCriticalPath path = HtaPathMaker(trace, options, window, poll).make();
    if (job.cancelled())
        return cancelledError();
    return path;
}

} // namespace lacuna
