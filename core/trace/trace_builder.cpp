// Rows arrive in file order in chunked columns; finish() orders them by (lane, strip, begin) and writes the
// final columns one by one, freeing the raw ones as it goes, so that the peak stays near one copy of the
// data.

#include "core/trace/trace_builder.h"

#include "core/trace/strip_indexes.h"
#include "core/trace/strip_stacker.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <numeric>
#include <unordered_map>

namespace lacuna {

namespace {

constexpr std::uint32_t kPollRows = 4096;
constexpr std::int64_t kHostToleranceNs = 1'000; // chrome_json.md 10.4: crossing by rounding on host lanes

bool isDeviceLane(LaneKind kind) {
    return kind == LaneKind::GpuStream || kind == LaneKind::GpuSync || kind == LaneKind::GpuRange;
}

// Thrown by a comparator inside finish() only: std::sort cannot be asked to stop.
struct SortCancelled {};

class Poller {
public:
    explicit Poller(JobControl& job) : m_job(job) {}
    // False once the job is cancelled.
    bool tick(std::uint32_t rows = 1) {
        m_rows += rows;
        if (m_rows >= kPollRows) {
            m_rows = 0;
            m_cancelled = m_cancelled || m_job.cancelled();
        }
        return !m_cancelled;
    }

private:
    JobControl& m_job;
    std::uint32_t m_rows = 0;
    bool m_cancelled = false;
};

std::optional<std::int64_t> numberOf(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string laneMapKey(const LaneKey& key) {
    std::string text = std::to_string(static_cast<int>(key.kind));
    for (const std::uint64_t part : {std::uint64_t{key.process.v}, std::uint64_t{key.thread.v},
                                     std::uint64_t{key.device.v}, static_cast<std::uint64_t>(key.sourceId)})
        text += '/' + std::to_string(part);
    if (key.kind == LaneKind::Async || key.kind == LaneKind::Marks || key.kind == LaneKind::Counter ||
        key.kind == LaneKind::Range || key.kind == LaneKind::GpuStream)
        text.append("/").append(key.title);
    return text;
}

Error cancelledError() {
    return {Errc::Cancelled, "Stopped.", {}, {}};
}

} // namespace

struct TraceBuilder::Maps {
    std::unordered_map<std::string, std::uint32_t> processes, threads, devices, lanes, counters;
};

TraceBuilder::TraceBuilder() : m_maps(std::make_unique<Maps>()) {}
TraceBuilder::~TraceBuilder() = default;
TraceBuilder::TraceBuilder(TraceBuilder&&) noexcept = default;
TraceBuilder& TraceBuilder::operator=(TraceBuilder&&) noexcept = default;

ProcessId TraceBuilder::process(std::string_view idText) {
    const auto [at, fresh] =
        m_maps->processes.try_emplace(std::string(idText), static_cast<std::uint32_t>(processCount()));
    if (fresh) {
        Process p;
        p.idText = idText;
        p.osPid = numberOf(idText);
        m_trace.m_processes.push_back(std::move(p));
    }
    return {at->second};
}

ThreadId TraceBuilder::thread(ProcessId process, std::string_view idText) {
    const auto [at, fresh] = m_maps->threads.try_emplace(std::to_string(process.v).append("/").append(idText),
                                                         static_cast<std::uint32_t>(threadCount()));
    if (fresh) {
        Thread t;
        t.process = process;
        t.idText = idText;
        t.tid = numberOf(idText).value_or(0);
        m_trace.m_threads.push_back(std::move(t));
    }
    return {at->second};
}

DeviceId TraceBuilder::device(ProcessId owner, std::int64_t ordinal) {
    const auto [at, fresh] = m_maps->devices.try_emplace(
        std::to_string(owner.v) + "/" + std::to_string(ordinal), static_cast<std::uint32_t>(deviceCount()));
    if (fresh)
        m_trace.m_devices.push_back({owner, ordinal, {}});
    return {at->second};
}

LaneId TraceBuilder::lane(const LaneKey& key) {
    const auto [at, fresh] =
        m_maps->lanes.try_emplace(laneMapKey(key), static_cast<std::uint32_t>(m_trace.m_lanes.size()));
    if (fresh) {
        Lane lane;
        lane.kind = key.kind;
        lane.title = strings().intern(key.title);
        lane.process = key.process;
        lane.thread = key.thread;
        lane.device = key.device;
        lane.sourceId = key.sourceId;
        m_trace.m_lanes.push_back(lane);
    }
    return {at->second};
}

void TraceBuilder::setLaneTitle(LaneId lane, std::string_view title) {
    m_trace.m_lanes[lane.v].title = strings().intern(title);
}

CounterId TraceBuilder::counter(std::string_view name, ProcessId process, DeviceId device,
                                std::string_view unit) {
    const std::string key =
        std::to_string(process.v) + "/" + std::to_string(device.v) + "/" + std::string(name);
    const auto [at, fresh] =
        m_maps->counters.try_emplace(key, static_cast<std::uint32_t>(m_trace.m_counters.size()));
    if (fresh) {
        CounterTrack track;
        track.name = name;
        track.unit = unit;
        track.process = process;
        track.device = device;
        m_trace.m_counters.push_back(std::move(track));
        LaneKey laneKey{LaneKind::Counter, process, {}, device, static_cast<std::int64_t>(at->second), name};
        m_trace.m_lanes[lane(laneKey).v].counter = CounterId{at->second};
    }
    return {at->second};
}

void TraceBuilder::addSample(CounterId counter, std::int64_t timeNs, double value) {
    CounterTrack& track = m_trace.m_counters[counter.v];
    track.timeNs.push_back(timeNs);
    track.value.push_back(value);
    m_lastTime = std::max(m_lastTime, timeNs);
}

std::uint32_t TraceBuilder::add(const RawEvent& event) {
    assert(event.endNs >= event.beginNs && event.lane);
    const auto row = static_cast<std::uint32_t>(m_begin.size());
    m_begin.push_back(event.beginNs);
    m_end.push_back(event.endNs);
    m_lane.push_back(event.lane.v);
    m_name.push_back(event.name);
    m_kind.push_back(event.kind);
    m_correlation.push_back(event.correlation);
    m_source.push_back(event.source.bits);
    m_lastTime = std::max(m_lastTime, event.endNs);
    return row;
}

void TraceBuilder::setCopy(std::uint32_t row, CopyArgs args) {
    m_copies.emplace_back(row, args);
}
void TraceBuilder::setSync(std::uint32_t row, SyncArgs args) {
    m_syncs.emplace_back(row, args);
}
void TraceBuilder::setGraph(std::uint32_t row, GraphArgs args) {
    m_graphs.emplace_back(row, args);
}

// Time zero and window over the rows with a duration: instants have none, async pairs are no X, B or E rows.
void TraceBuilder::shiftToZero() {
    std::int64_t first = INT64_MAX, last = INT64_MIN, firstAny = INT64_MAX, lastAny = INT64_MIN;
    for (std::size_t i = 0; i < m_begin.size(); ++i) {
        firstAny = std::min(firstAny, m_begin[i]);
        lastAny = std::max(lastAny, m_end[i]);
        if (m_kind[i] == EventKind::Instant || m_kind[i] == EventKind::Async)
            continue;
        first = std::min(first, m_begin[i]);
        last = std::max(last, m_end[i]);
    }
    for (const CounterTrack& track : m_trace.m_counters)
        for (const std::int64_t t : track.timeNs) {
            firstAny = std::min(firstAny, t);
            lastAny = std::max(lastAny, t);
        }
    if (first > last) { // nothing but marks and counters
        first = firstAny == INT64_MAX ? 0 : firstAny;
        last = lastAny == INT64_MIN ? 0 : lastAny;
    }
    const std::int64_t zero = m_timeZero == TimeZero::FirstDuration ? first : 0;
    m_trace.m_window = {{first - zero}, {last - zero}};
    if (m_trace.m_facts.baseNs)
        *m_trace.m_facts.baseNs += zero;
    if (zero == 0)
        return;
    for (std::size_t i = 0; i < m_begin.size(); ++i) {
        m_begin[i] -= zero;
        m_end[i] -= zero;
    }
    for (CounterTrack& track : m_trace.m_counters)
        for (std::int64_t& t : track.timeNs)
            t -= zero;
    for (FlowEnd& end : m_flows.ends)
        if (end.binding != FlowBinding::Row)
            end.at -= zero;
}

bool TraceBuilder::orderRows(JobControl& job, std::vector<std::uint32_t>& order) {
    const std::size_t rows = m_begin.size();
    std::vector<Lane>& lanes = m_trace.m_lanes;
    Poller poll(job);
    // Counting sort by lane keeps the order of the file.
    std::vector<std::uint32_t> laneFirst(lanes.size() + 1, 0);
    for (std::size_t i = 0; i < rows; ++i)
        ++laneFirst[m_lane[i] + 1];
    std::partial_sum(laneFirst.begin(), laneFirst.end(), laneFirst.begin());
    std::vector<std::uint32_t> byLane(rows), at(laneFirst.begin(), laneFirst.end() - 1);
    for (std::size_t i = 0; i < rows; ++i)
        byLane[at[m_lane[i]]++] = static_cast<std::uint32_t>(i);

    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (!poll.tick())
            throw SortCancelled{};
        if (m_begin[a] != m_begin[b])
            return m_begin[a] < m_begin[b];
        if (m_end[a] != m_end[b])
            return m_end[a] > m_end[b];
        return m_source[a] != m_source[b] ? m_source[a] < m_source[b] : a < b;
    };
    order.resize(rows);
    std::vector<std::uint32_t> stripOfRow, stripAt;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
        const std::span<std::uint32_t> part =
            std::span(byLane).subspan(laneFirst[l], laneFirst[l + 1] - laneFirst[l]);
        lanes[l].firstStrip = {static_cast<std::uint32_t>(m_trace.m_strips.size())};
        if (part.empty())
            continue;
        try {
            if (!std::is_sorted(part.begin(), part.end(), before))
                std::sort(part.begin(), part.end(), before);
        } catch (const SortCancelled&) {
            return false;
        }
        StripStacker stacker(isDeviceLane(lanes[l].kind) ? 0 : kHostToleranceNs);
        stripOfRow.resize(part.size());
        for (std::size_t i = 0; i < part.size(); ++i) {
            stripOfRow[i] = stacker.place(m_begin[part[i]], m_end[part[i]]);
            if (!poll.tick())
                return false;
        }
        lanes[l].depth = stacker.strips();
        stripAt.assign(std::size_t{stacker.strips()} + 1, 0);
        for (const std::uint32_t strip : stripOfRow)
            ++stripAt[strip + 1];
        std::partial_sum(stripAt.begin(), stripAt.end(), stripAt.begin());
        for (std::uint32_t strip = 0; strip < stacker.strips(); ++strip)
            m_trace.m_strips.push_back({{laneFirst[l] + stripAt[strip]},
                                        {laneFirst[l] + stripAt[strip + 1]},
                                        {static_cast<std::uint32_t>(l)}});
        for (std::size_t i = 0; i < part.size(); ++i)
            order[laneFirst[l] + stripAt[stripOfRow[i]]++] = part[i];
    }
    return true;
}

namespace {

// False once the job is cancelled; the column is then half written and nobody reads it.
template <class T, class Raw>
bool moveColumn(ChunkedColumn<Raw>& raw, Column<T>& column, const std::vector<std::uint32_t>& order,
                Poller& poll) {
    column.resize(order.size());
    for (std::size_t first = 0; first < order.size(); first += kPollRows) {
        const std::size_t last = std::min(order.size(), first + kPollRows);
        for (std::size_t i = first; i < last; ++i)
            column[i] = raw[order[i]];
        if (!poll.tick(kPollRows))
            return false;
    }
    raw.clear();
    return true;
}

template <class Args>
void moveArgs(std::vector<std::pair<std::uint32_t, Args>>& raw, SparseArgs<Args>& args,
              const std::vector<std::uint32_t>& rowOf) {
    args.rows().reserve(raw.size());
    for (auto& [row, value] : raw) {
        value.event = EventId{rowOf[row]};
        args.push(value);
    }
    raw = {};
    args.sort();
}

} // namespace

bool TraceBuilder::permute(JobControl& job, const std::vector<std::uint32_t>& order,
                           Column<std::uint64_t>& keys) {
    EventTable& e = m_trace.m_events;
    Poller poll(job);
    m_lane.clear();
    if (!moveColumn(m_begin, e.beginNs, order, poll) || !moveColumn(m_end, e.endNs, order, poll) ||
        !moveColumn(m_name, e.name, order, poll) || !moveColumn(m_kind, e.kind, order, poll) ||
        !moveColumn(m_source, e.source, order, poll) || !moveColumn(m_correlation, keys, order, poll))
        return false;
    if (m_copies.empty() && m_syncs.empty() && m_graphs.empty())
        return true;
    std::vector<std::uint32_t> rowOf(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        rowOf[order[i]] = static_cast<std::uint32_t>(i);
    moveArgs(m_copies, m_trace.m_hotArgs.copies, rowOf);
    moveArgs(m_syncs, m_trace.m_hotArgs.syncs, rowOf);
    moveArgs(m_graphs, m_trace.m_hotArgs.graphs, rowOf);
    return true;
}

bool TraceBuilder::joinCorrelations(JobControl& job, Column<std::uint64_t>& keys) {
    const EventTable& e = m_trace.m_events;
    CorrelationIndex& index = m_trace.m_correlations;
    struct Member {
        std::uint64_t key;
        std::uint32_t row, group;
    };
    std::vector<Member> members;
    const auto roleOf = [&](std::uint32_t row) {
        return isHostCall(e.kind[row]) ? 0u : isDeviceOp(e.kind[row]) ? 1u : 2u;
    };
    members.reserve(static_cast<std::size_t>(
        std::count_if(keys.begin(), keys.end(), [](std::uint64_t key) { return key != 0; })));
    for (std::size_t row = 0; row < keys.size(); ++row)
        if (keys[row] != 0)
            members.push_back({keys[row], static_cast<std::uint32_t>(row), 0});
    keys = {};
    Poller poll(job);
    try {
        std::sort(members.begin(), members.end(), [&](const Member& a, const Member& b) {
            if (!poll.tick())
                throw SortCancelled{};
            if (a.key != b.key)
                return a.key < b.key;
            const auto roleA = roleOf(a.row), roleB = roleOf(b.row);
            if (roleA != roleB)
                return roleA < roleB;
            if (roleA != 0 && e.beginNs[a.row] != e.beginNs[b.row])
                return e.beginNs[a.row] < e.beginNs[b.row];
            return e.source[a.row] != e.source[b.row] ? e.source[a.row] < e.source[b.row] : a.row < b.row;
        });
    } catch (const SortCancelled&) {
        return false;
    }
    m_trace.m_events.correlation.assign(e.size(), 0);
    index.m_keys.push_back(0);
    index.m_first.push_back(0);
    index.m_firstDevice.push_back(0);
    index.m_firstMarker.push_back(0);
    index.m_members.resize(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (!poll.tick())
            return false;
        const auto place = static_cast<std::uint32_t>(i);
        if (i == 0 || members[i].key != members[i - 1].key) {
            index.m_keys.push_back(members[i].key);
            index.m_first.push_back(place);
            index.m_firstDevice.push_back(place);
            index.m_firstMarker.push_back(place);
        }
        const unsigned role = roleOf(members[i].row);
        if (role == 0)
            index.m_firstDevice.back() = place + 1;
        if (role <= 1)
            index.m_firstMarker.back() = place + 1;
        index.m_members[i] = EventId{members[i].row};
        m_trace.m_events.correlation[members[i].row] = static_cast<std::uint32_t>(index.m_keys.size() - 1);
    }
    index.m_first.push_back(static_cast<std::uint32_t>(members.size()));
    return true;
}

bool TraceBuilder::buildStripIndexes(JobControl& job) {
    return lacuna::buildStripIndexes(
        m_trace.m_events, m_trace.m_strips,
        {m_trace.m_busy, m_trace.m_busyFirst, m_trace.m_longest, m_trace.m_longestFirst}, job);
}

bool TraceBuilder::bindRecordedFlows(JobControl& job) {
    BoundFlows bound = bindFlows(std::move(m_flows), m_trace, job);
    m_trace.m_flows.m_links = std::move(bound.links);
    m_trace.m_flows.m_byTarget = std::move(bound.byTarget);
    report().note(
        "flow_ends_unbound",
        "Ends of recorded arrows have no row or no other end, as is usual at the edges of a capture: "
        "they are not drawn.",
        {}, Severity::Info, bound.unbound);
    return !bound.isCancelled;
}

// A device without owner belongs to the process whose host call launched its work (first joined operation).
void TraceBuilder::findDeviceOwners() {
    std::vector<Device>& devices = m_trace.m_devices;
    const CorrelationIndex& index = m_trace.m_correlations;
    auto missing = std::count_if(devices.begin(), devices.end(), [](const Device& d) { return !d.process; });
    for (std::uint32_t group = 1; group < index.groups() && missing > 0; ++group) {
        const auto calls = index.hostCalls(group);
        if (calls.empty())
            continue;
        for (const EventId op : index.deviceOps(group)) {
            const DeviceId device = m_trace.lane(m_trace.laneOf(op)).device;
            if (!device || devices[device.v].process)
                continue;
            devices[device.v].process = m_trace.lane(m_trace.laneOf(calls.front())).process;
            --missing;
        }
    }
    for (Lane& lane : m_trace.m_lanes)
        if (lane.device && !lane.process)
            lane.process = devices[lane.device.v].process;
}

Result<std::shared_ptr<const Trace>> TraceBuilder::finish(JobControl& job) && {
    job.setPhase(JobControl::Phase::Indexing);
    shiftToZero();
    if (job.cancelled())
        return cancelledError();
    std::vector<std::uint32_t> order;
    if (!orderRows(job, order))
        return cancelledError();
    Column<std::uint64_t> keys;
    if (!permute(job, order, keys))
        return cancelledError();
    order = {};
    if (!joinCorrelations(job, keys) || !buildStripIndexes(job) || !bindRecordedFlows(job))
        return cancelledError();
    findDeviceOwners();
    for (CounterTrack& track : m_trace.m_counters)
        if (!std::is_sorted(track.timeNs.begin(), track.timeNs.end())) {
            std::vector<std::uint32_t> sorted(track.timeNs.size());
            std::iota(sorted.begin(), sorted.end(), 0u);
            std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
                return track.timeNs[a] < track.timeNs[b];
            });
            Column<std::int64_t> times(sorted.size());
            Column<double> values(sorted.size());
            for (std::size_t i = 0; i < sorted.size(); ++i) {
                times[i] = track.timeNs[sorted[i]];
                values[i] = track.value[sorted[i]];
            }
            track.timeNs = std::move(times);
            track.value = std::move(values);
        }
    return std::shared_ptr<const Trace>(new Trace(std::move(m_trace)));
}

} // namespace lacuna
