// How a trace begins: who is found or created, rows in file order, snapshots on the way. The end of it is in
// trace_finish.cpp.

#include "core/trace/trace_builder.h"

#include "core/trace/snapshot_maker.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <unordered_map>

namespace lacuna {

namespace {

constexpr std::size_t kFirstSnapshot = 20'000, kLastSnapshot = 2'000'000, kSnapshotGrowth = 3;
constexpr std::size_t kSmallSnapshot = 100'000; // memory is no question below
constexpr double kSnapshotShare = 1.0 / 3.0;
constexpr std::size_t kBusyRows = 4096; // until it is asked again whether the last snapshot is done

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
    const auto row = static_cast<std::uint32_t>(m_rows.size());
    m_rows.begin.push_back(event.beginNs);
    m_rows.end.push_back(event.endNs);
    m_rows.lane.push_back(event.lane.v);
    m_rows.name.push_back(event.name);
    m_rows.kind.push_back(event.kind);
    m_rows.correlation.push_back(event.correlation);
    m_rows.source.push_back(event.source.bits);
    m_lastTime = std::max(m_lastTime, event.endNs);
    return row;
}

void TraceBuilder::setCopy(std::uint32_t row, CopyArgs args) {
    m_rows.copies.push_back({row, args});
}
void TraceBuilder::setSync(std::uint32_t row, SyncArgs args) {
    m_rows.syncs.push_back({row, args});
}
void TraceBuilder::setGraph(std::uint32_t row, GraphArgs args) {
    m_rows.graphs.push_back({row, args});
}

void TraceBuilder::setCorrelation(std::uint32_t row, std::uint64_t correlation) {
    m_nextSnapshot = SIZE_MAX;
    m_snapshots.reset();
    m_rows.correlation[row] = correlation;
}

void TraceBuilder::setSnapshotReceiver(std::function<void(std::shared_ptr<const Trace>)> receiver,
                                       const JobControl& job) {
    m_snapshots = std::make_unique<SnapshotMaker>(std::move(receiver));
    m_loadJob = &job;
    m_nextSnapshot = kFirstSnapshot;
}

TraceBuilder TraceBuilder::snapshot() const {
    TraceBuilder copy;
    copy.m_trace = m_trace;
    copy.m_timeZero = m_timeZero;
    copy.m_rows = m_rows.snapshot();
    copy.m_maps.reset();
    return copy;
}

bool TraceBuilder::isSnapshotInWork() const {
    return m_snapshots != nullptr && m_snapshots->isBusy();
}

void TraceBuilder::offerSnapshot() {
    if (m_snapshots == nullptr)
        return;
    if (m_snapshots->isBusy()) {
        m_nextSnapshot = size() + kBusyRows;
        return;
    }
    std::size_t weight = size() + m_trace.m_strings.size();
    for (const CounterTrack& track : m_trace.m_counters)
        weight += track.timeNs.size();
    m_nextSnapshot = size() * kSnapshotGrowth;
    if (weight > kLastSnapshot || (weight > kSmallSnapshot && m_loadJob->fraction() > kSnapshotShare)) {
        m_nextSnapshot = SIZE_MAX;
        return;
    }
    const auto copy = std::make_shared<TraceBuilder>(snapshot()); // std::function wants to copy
    m_snapshots->start([copy](JobControl& job) { return std::move(*copy).finish(job, 1); });
}

} // namespace lacuna
