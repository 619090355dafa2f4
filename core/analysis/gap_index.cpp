#include "core/analysis/gap_index.h"

#include "core/analysis/device_busy.h"
#include "core/base/huge_pages.h"
#include "core/base/lower_median.h"
#include "core/base/parallel.h"
#include "core/trace/sort_rows.h"
#include "core/trace/strip_query.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace lacuna::gaps {

namespace {

class ByBegin {
public:
    explicit ByBegin(const EventTable& events) : m_events(&events) {}
    bool operator()(EventId a, EventId b) const {
        const std::int64_t beginA = m_events->beginNs[a.v], beginB = m_events->beginNs[b.v];
        return beginA != beginB ? beginA < beginB : m_events->source[a.v] < m_events->source[b.v];
    }

private:
    const EventTable* m_events;
};

} // namespace

RowsInTime::RowsInTime(const EventTable& events, std::vector<EventId> rows)
    : m_events(&events), m_rows(std::move(rows)) {
    m_maxEnd.reserve(m_rows.size());
    for (const EventId row : m_rows)
        m_maxEnd.push_back(std::max(m_maxEnd.empty() ? INT64_MIN : m_maxEnd.back(), events.endNs[row.v]));
}

const Submits* DeviceIndex::submitsOf(ThreadId thread) const {
    const auto at =
        std::lower_bound(byThread.begin(), byThread.end(), thread,
                         [this](std::uint32_t place, ThreadId t) { return submits[place].thread < t; });
    return at == byThread.end() || submits[*at].thread != thread ? nullptr : &submits[*at];
}

std::optional<Error> GapIndex::buildHosts(JobControl& job) {
    auto tree = HostTree::build(*m_trace, {m_options.pythonRows, m_options.osRows}, job);
    if (!tree)
        return tree.error();
    m_tree = std::move(*tree);
    NameFacts names(m_trace->strings());
    auto rows = RowFacts::build(*m_trace, m_tree, m_options.thresholds, names, job);
    if (!rows)
        return rows.error();
    m_rows = std::move(*rows);
    return std::nullopt;
}

Result<std::shared_ptr<const GapIndex>> GapIndex::build(std::shared_ptr<const Trace> trace,
                                                        const GapOptions& options, JobControl& job,
                                                        unsigned threads, const DevicesKnown& onDevices) {
    std::shared_ptr<GapIndex> index(new GapIndex);
    index->m_trace = std::move(trace);
    index->m_options = options;
    const Trace& t = *index->m_trace;
    // Hosts and devices know nothing of each other yet.
    std::optional<Error> failure;
    bool hasDevices = false;
    CallMedians medians;
    parallelFor(t.events().size() < kRowsForThreads ? 1 : threadsFor(threads), 2, [&](std::size_t half) {
        if (half == 0)
            failure = index->buildHosts(job);
        else if ((hasDevices = index->buildDevices(job) && index->buildSubmits(job))) {
            if (onDevices)
                onDevices(*index);
            medians = CallMedians::of(t, {options.pythonRows, options.osRows}, job);
        }
    });
    if (failure)
        return *failure;
    if (!hasDevices)
        return cancelledError();
    index->m_rows.setMedians(std::move(medians));
    index->buildThreads();
    index->buildSubmitters();
    if (job.cancelled())
        return cancelledError();
    RowPoll poll(job);
    if (!index->buildChains(poll) || !index->buildGraphs(poll) ||
        (options.markerDependencies && !index->buildStreamWaits(poll)) || !index->buildOverhead(poll) ||
        job.cancelled())
        return cancelledError();
    return std::shared_ptr<const GapIndex>(std::move(index));
}

bool GapIndex::buildOverhead(RowPoll& poll) {
    std::vector<EventId> overhead;
    for (const Strip& strip : m_trace->strips())
        if (m_trace->lane(strip.lane).kind == LaneKind::Overhead)
            for (EventId row = strip.first; row < strip.last; ++row.v) {
                if (!poll.tick())
                    return false;
                overhead.push_back(row);
            }
    if (!sortRows(overhead, poll, ByBegin(events())))
        return false;
    m_overhead = std::make_unique<RowsInTime>(events(), std::move(overhead));
    return true;
}

void GapIndex::buildThreads() {
    m_threads.resize(m_trace->processes().size());
    m_callbackThreads.resize(m_trace->processes().size());
    for (std::uint32_t i = 0; i < m_trace->threads().size(); ++i) {
        const ThreadId thread{i};
        const Thread& info = m_trace->threads()[i];
        const HostTree::ThreadPart& part = m_tree.part(thread);
        if (!info.process || part.isEmpty())
            continue;
        const TimeRange rows{m_tree.leafBegin(part.firstLeaf), m_tree.leafBegin(part.lastLeaf - 1)};
        m_threads[info.process.v].add(thread, rows);
        if (isCallbackThread(info.name))
            m_callbackThreads[info.process.v].add(thread, rows);
    }
    for (std::vector<ActiveThreads>* lists : {&m_threads, &m_callbackThreads})
        for (ActiveThreads& list : *lists)
            list.finish();
}

bool GapIndex::buildDevices(JobControl& job) {
    m_firstOfName.resize(m_trace->strings().size());
    m_known.resize(m_trace->lanes().size());
    std::vector<bool> hasUnknown(m_trace->lanes().size());
    LaneCursor lanes(*m_trace);
    m_devices.resize(m_trace->devices().size());
    for (const Lane& lane : m_trace->lanes())
        if (lane.kind == LaneKind::GpuStream && lane.device)
            for (std::uint32_t depth = 0; depth < lane.depth; ++depth)
                m_devices[lane.device.v].strips.push_back({lane.firstStrip.v + depth});
    const ByBegin before(events());
    RowPoll poll(job);
    for (std::uint32_t i = 0; i < m_devices.size(); ++i) {
        DeviceIndex& device = m_devices[i];
        device.id = DeviceId{i};
        device.ops = deviceOps(*m_trace, device.strips, job);
        if (device.ops.empty())
            continue;
        if (device.strips.size() > DeviceIndex::kManyStrips) {
            device.byEnd = device.ops;
            const bool isSorted = sortRows(device.byEnd, poll, [this](EventId a, EventId b) {
                return std::tie(events().endNs[a.v], events().source[a.v]) <
                       std::tie(events().endNs[b.v], events().source[b.v]);
            });
            if (!isSorted)
                return false;
        }
        device.span = events().range(device.ops.front());
        for (const EventId op : device.ops) {
            // Not counted: another thread counts the host's rows between its own polls.
            if (!poll.tick())
                return false;
            device.span.end.v = std::max(device.span.end.v, events().endNs[op.v]);
            if (events().kind[op.v] == EventKind::Kernel) {
                EventId& first = m_firstOfName[events().name[op.v].v];
                if (!first || before(op, first))
                    first = op;
            }
            if (!launchOf(op))
                hasUnknown[lanes.of(op).v] = true;
        }
        if (!buildKnown(device, hasUnknown, poll))
            return false;
    }
    return !job.cancelled();
}

bool GapIndex::buildKnown(const DeviceIndex& device, const std::vector<bool>& hasUnknown, RowPoll& poll) {
    LaneCursor lanes(*m_trace);
    for (const EventId op : device.ops) {
        if (!poll.tick())
            return false;
        if (const LaneId lane = lanes.of(op); hasUnknown[lane.v] && launchOf(op))
            m_known[lane.v].push_back(op);
    }
    return true;
}

namespace {

// Whether a name is that of a graph launch, looked up once per name.
class GraphLaunchNames {
public:
    explicit GraphLaunchNames(const StringPool& strings)
        : m_strings(strings), m_known(strings.size(), Known::NotAsked) {}
    bool has(StringId name) {
        Known& known = m_known[name.v];
        if (known == Known::NotAsked)
            known =
                m_strings.view(name).find("GraphLaunch") != std::string_view::npos ? Known::Yes : Known::No;
        return known == Known::Yes;
    }

private:
    enum class Known : std::uint8_t { NotAsked, No, Yes };
    const StringPool& m_strings;
    std::vector<Known> m_known;
};

} // namespace

bool GapIndex::buildSubmits(JobControl& job) {
    const CorrelationIndex& groups = m_trace->correlations();
    LaneCursor callLanes(*m_trace), opLanes(*m_trace);
    std::unordered_map<std::uint64_t, std::uint32_t> places; // device and thread -> place in submits, + 1
    std::uint64_t lastKey = UINT64_MAX;                      // of places; most often there is one
    std::uint32_t lastPlace = 0;
    std::optional<std::uint32_t> lastDomain;
    GraphLaunchNames graphLaunches(m_trace->strings());
    const ByBegin before(events());
    RowPoll poll(job);
    for (std::uint32_t group = 1; group < groups.groups(); ++group) {
        if (!poll.tick())
            return false;
        const auto calls = groups.hostCalls(group);
        if (calls.empty())
            continue;
        if (const std::uint32_t domain = groups.domain(group); domain != lastDomain) {
            lastDomain = domain;
            m_smallestCall.try_emplace(domain, groups.correlationId(group)); // they ascend
        }
        const EventId call = calls.front();
        const ThreadId thread = m_trace->lane(callLanes.of(call)).thread;
        const auto ops = groups.deviceOps(group);
        if (!thread || ops.empty())
            continue;
        if ((!m_firstGraphLaunch || before(call, m_firstGraphLaunch)) &&
            graphLaunches.has(events().name[call.v]))
            m_firstGraphLaunch = call;
        DeviceId last;
        for (const EventId op : ops) {
            const DeviceId device = m_trace->lane(opLanes.of(op)).device;
            if (!device || device == last)
                continue;
            last = device;
            std::vector<Submits>& submits = m_devices[device.v].submits;
            if (const std::uint64_t key = std::uint64_t{device.v} << 32 | thread.v; key != lastKey) {
                std::uint32_t& place = places[key];
                if (place == 0) {
                    submits.push_back({thread, {}, {}, 0});
                    place = static_cast<std::uint32_t>(submits.size());
                    if (places.size() == 1) // often the only one; what it does not fill is not touched
                        reserveHuge(submits.back().calls, groups.groups());
                }
                lastKey = key;
                lastPlace = place;
            }
            std::vector<EventId>& list = submits[lastPlace - 1].calls;
            if (list.empty() || list.back() != call)
                list.push_back(call);
        }
    }
    WorkColumn<std::int64_t> intervals;
    for (DeviceIndex& device : m_devices)
        for (Submits& submits : device.submits) {
            std::vector<EventId>& calls = submits.calls;
            if (!sortRows(calls, poll, before))
                return false;
            intervals.clear();
            intervals.reserve(calls.size());
            for (std::size_t i = 1; i < calls.size(); ++i) {
                if (!poll.tick())
                    return false;
                intervals.push_back(events().beginNs[calls[i].v] - events().beginNs[calls[i - 1].v]);
            }
            submits.medianIntervalNs = lowerMedian(intervals);
            if (job.cancelled())
                return false;
        }
    return true;
}

void GapIndex::buildSubmitters() {
    for (DeviceIndex& device : m_devices) {
        device.byThread.resize(device.submits.size());
        std::iota(device.byThread.begin(), device.byThread.end(), 0u);
        std::sort(device.byThread.begin(), device.byThread.end(), [&](std::uint32_t a, std::uint32_t b) {
            return device.submits[a].thread < device.submits[b].thread;
        });
        for (const Submits& submits : device.submits) {
            const auto [at, fresh] = m_submitters.try_emplace(m_trace->threads()[submits.thread.v].process.v,
                                                              Submitter{submits.thread});
            at->second.others = at->second.others || (!fresh && at->second.first != submits.thread);
        }
    }
}

// A chain goes on while the thread submits nothing between two holding calls; the holding calls' own
// submissions do not break it.
bool GapIndex::buildChains(RowPoll& poll) {
    for (DeviceIndex& device : m_devices)
        for (Submits& submits : device.submits) {
            const std::vector<EventId>& calls = submits.calls;
            const std::vector<HoldingCall>& holding = m_rows.calls(submits.thread).holding;
            submits.heldBefore.assign(holding.size(), 0);
            std::size_t next = 0; // first launch not yet passed
            for (std::size_t i = 0; i < holding.size(); ++i) {
                if (!poll.tick())
                    return false;
                bool broken = i == 0;
                for (; next < calls.size() && events().beginNs[calls[next].v] < holding[i].begin; ++next) {
                    if (!poll.tick())
                        return false;
                    broken = broken || calls[next] != m_tree.event(holding[i - 1].row);
                }
                if (broken)
                    continue;
                const bool held = holding[i - 1].hold != Hold::MayWait;
                submits.heldBefore[i] =
                    submits.heldBefore[i - 1] + (held ? holding[i - 1].end - holding[i - 1].begin : 0);
            }
        }
    return true;
}

bool GapIndex::wasQueuedBefore(EventId op) const {
    const std::uint32_t group = events().correlation[op.v];
    if (group == 0)
        return false;
    const CorrelationIndex& groups = m_trace->correlations();
    const auto at = m_smallestCall.find(groups.domain(group));
    return at != m_smallestCall.end() && groups.correlationId(group) < at->second;
}

bool GapIndex::isFirstOfItsName(EventId kernel) const {
    return events().kind[kernel.v] == EventKind::Kernel && m_firstOfName[events().name[kernel.v].v] == kernel;
}

bool GapIndex::hasOneSubmitter(ThreadId thread) const {
    const auto at = m_submitters.find(m_trace->threads()[thread.v].process.v);
    return at == m_submitters.end() || (!at->second.others && at->second.first == thread);
}

EventId GapIndex::laterKnownLaunch(EventId op) const {
    const std::vector<EventId>& known = m_known[m_trace->laneOf(op).v];
    const auto at = std::upper_bound(known.begin(), known.end(), op, ByBegin(events()));
    return at == known.end() ? EventId{} : launchOf(*at);
}

EventId GapIndex::earlierKnownLaunch(EventId op) const {
    const std::vector<EventId>& known = m_known[m_trace->laneOf(op).v];
    const auto at = std::lower_bound(known.begin(), known.end(), op, ByBegin(events()));
    return at == known.begin() ? EventId{} : launchOf(*std::prev(at));
}

const ActiveThreads& GapIndex::threadsOf(ProcessId process) const {
    return process ? m_threads[process.v] : m_noThreads;
}

const ActiveThreads& GapIndex::callbackThreads(ProcessId process) const {
    return process ? m_callbackThreads[process.v] : m_noThreads;
}

std::int64_t GapIndex::callBeginOf(EventId op) const {
    const EventId call = launchOf(op);
    return call ? events().beginNs[call.v] : INT64_MIN;
}

// Stream order is submit order, so that the launch times ascend along each strip. The strip's end: none.
EventId GapIndex::firstSubmittedFrom(const Strip& strip, std::int64_t time) const {
    std::uint32_t low = strip.first.v, high = strip.last.v;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (callBeginOf({middle}) < time)
            low = middle + 1;
        else
            high = middle;
    }
    return {low};
}

EventId GapIndex::lastSubmitted(LaneId stream, std::int64_t time) const {
    EventId best;
    for (const Strip& strip : m_trace->strips(stream)) {
        const EventId end = firstSubmittedFrom(strip, time);
        if (end != strip.first && (!best || callBeginOf({end.v - 1}) > callBeginOf(best)))
            best = EventId{end.v - 1};
    }
    return best;
}

EventId GapIndex::nextSubmitted(LaneId stream, std::int64_t time) const {
    EventId best;
    for (const Strip& strip : m_trace->strips(stream)) {
        const EventId first = firstSubmittedFrom(strip, time);
        if (first != strip.last && (!best || callBeginOf(first) < callBeginOf(best)))
            best = first;
    }
    return best;
}

// Markers name the waiting stream, and the recorded one or the record call, or an event id that a record row
// of the same process has: of several the last whose call began before the wait's.
bool GapIndex::buildStreamWaits(RowPoll& poll) {
    const CorrelationIndex& groups = m_trace->correlations();
    const auto callOf = [&](EventId marker) {
        const auto calls = groups.hostCalls(events().correlation[marker.v]);
        return calls.empty() ? EventId{} : calls.front();
    };
    std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::pair<std::int64_t, const SyncArgs*>>>
        records; // by domain and event id: call begin, row
    for (const SyncArgs& row : m_trace->hotArgs().syncs.rows()) {
        if (!poll.tick())
            return false;
        if (row.kind == SyncKind::EventRecord && row.eventId >= 0)
            if (const EventId call = callOf(row.event))
                records[{groups.domain(events().correlation[row.event.v]), row.eventId}].emplace_back(
                    events().beginNs[call.v], &row);
    }
    for (auto& [key, list] : records)
        if (!sortRows(list, poll, std::less<>()))
            return false;
    std::map<std::pair<std::uint32_t, std::int64_t>, LaneId> streams; // device and stream
    for (std::uint32_t i = 0; i < m_trace->lanes().size(); ++i)
        if (const Lane& lane = m_trace->lanes()[i]; lane.kind == LaneKind::GpuStream && lane.device)
            streams[{lane.device.v, lane.sourceId}] = LaneId{i};

    for (const SyncArgs& row : m_trace->hotArgs().syncs.rows()) {
        if (!poll.tick())
            return false;
        const EventId call = callOf(row.event);
        const DeviceId device = m_trace->lane(m_trace->laneOf(row.event)).device;
        if (row.kind != SyncKind::StreamWaitEvent || !call || !device)
            continue;
        const std::uint32_t domain = groups.domain(events().correlation[row.event.v]);
        StreamWait wait{events().beginNs[call.v], device, row.stream, call, {}, {}, {}};
        if (const auto own = streams.find({device.v, row.stream}); own != streams.end())
            wait.lane = own->second;
        std::int64_t sourceStream = row.sourceStream;
        DeviceId sourceDevice = device;
        if (row.recordCorrelation >= 0) {
            const auto group = groups.find(domain, static_cast<std::uint32_t>(row.recordCorrelation));
            const auto calls = groups.hostCalls(group);
            wait.recordCall = calls.empty() ? EventId{} : calls.front();
            for (const EventId marker : groups.markers(group))
                if (const SyncArgs* record = m_trace->hotArgs().syncs.find(marker)) {
                    sourceStream = sourceStream < 0 ? record->stream : sourceStream;
                    sourceDevice = m_trace->lane(m_trace->laneOf(marker)).device;
                }
        } else if (const auto at = records.find({domain, row.eventId}); at != records.end()) {
            const auto last =
                std::lower_bound(at->second.begin(), at->second.end(),
                                 std::pair(wait.callBegin, static_cast<const SyncArgs*>(nullptr)));
            if (last != at->second.begin()) {
                const SyncArgs* record = std::prev(last)->second;
                wait.recordCall = callOf(record->event);
                sourceStream = record->stream;
                sourceDevice = m_trace->lane(m_trace->laneOf(record->event)).device;
            }
        }
        const auto lane = streams.find({sourceDevice.v, sourceStream});
        if (wait.recordCall && lane != streams.end())
            wait.source = lastSubmitted(lane->second, events().beginNs[wait.recordCall.v]);
        if (wait.source)
            m_explainedWaits.push_back(call);
        m_streamWaits.push_back(wait);
    }
    const auto before = [](const StreamWait& a, const StreamWait& b) {
        return std::tie(a.device, a.stream, a.callBegin, a.call) <
               std::tie(b.device, b.stream, b.callBegin, b.call);
    };
    return sortRows(m_streamWaits, poll, before) && sortRows(m_explainedWaits, poll, std::less<>());
}

std::span<const StreamWait> GapIndex::streamWaits(DeviceId device, std::int64_t stream, std::int64_t after,
                                                  std::int64_t before) const {
    const auto place = [&](std::int64_t time) {
        return std::lower_bound(m_streamWaits.begin(), m_streamWaits.end(), std::tuple(device, stream, time),
                                [](const StreamWait& wait, const auto& key) {
                                    return std::tuple(wait.device, wait.stream, wait.callBegin) < key;
                                });
    };
    const auto first = place(after), last = place(before);
    return first < last ? std::span<const StreamWait>(first, last) : std::span<const StreamWait>{};
}

bool GapIndex::hasMarkerFor(EventId waitCall) const {
    return std::binary_search(m_explainedWaits.begin(), m_explainedWaits.end(), waitCall);
}

bool GapIndex::buildGraphs(RowPoll& poll) {
    const CorrelationIndex& groups = m_trace->correlations();
    std::unordered_map<std::uint64_t, std::map<std::uint32_t, std::size_t>> nodes; // graph -> group -> nodes
    for (const GraphArgs& row : m_trace->hotArgs().graphs.rows()) {
        if (!poll.tick())
            return false;
        if (row.graph != 0 && events().correlation[row.event.v] != 0)
            ++nodes[row.graph][events().correlation[row.event.v]];
    }
    m_suspects.resize(m_trace->processes().size());
    for (std::uint32_t i = 0; i < m_suspects.size(); ++i)
        m_suspects[i] = m_rows.barrenLaunches(ProcessId{i});
    std::vector<std::int64_t> durations;
    for (const auto& [graph, launches] : nodes) {
        GraphFacts facts;
        durations.clear();
        std::size_t most = 0;
        for (const auto& [group, count] : launches)
            most = std::max(most, count);
        for (const auto& [group, count] : launches) {
            if (!poll.tick())
                return false;
            if (groups.hostCalls(group).empty())
                continue;
            const EventId call = groups.hostCalls(group).front();
            durations.push_back(events().duration(call).v);
            if (!facts.firstLaunch || ByBegin(events())(call, facts.firstLaunch))
                facts.firstLaunch = call;
            const ThreadId thread = threadOf(call);
            if (count < most && thread && m_trace->threads()[thread.v].process)
                m_suspects[m_trace->threads()[thread.v].process.v].push_back(call);
        }
        facts.medianLaunchNs = lowerMedian(durations);
        m_graphs.emplace(graph, facts);
    }
    for (std::vector<EventId>& calls : m_suspects)
        if (!sortRows(calls, poll, ByBegin(events())))
            return false;
    return true;
}

const GapIndex::GraphFacts* GapIndex::graphOf(EventId op) const {
    const GraphArgs* args = m_trace->hotArgs().graphs.find(op);
    const auto at = args == nullptr ? m_graphs.end() : m_graphs.find(args->graph);
    return at == m_graphs.end() ? nullptr : &at->second;
}

std::span<const EventId> GapIndex::suspectLaunches(ProcessId process) const {
    return process ? std::span<const EventId>(m_suspects[process.v]) : std::span<const EventId>{};
}

} // namespace lacuna::gaps
