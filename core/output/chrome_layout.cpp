#include "core/output/chrome_layout.h"

#include "core/output/strict_json.h"

#include <algorithm>
#include <string_view>

namespace lacuna::chrome {

namespace {

// Beyond every number that a system gives to a process or thread; viewers keep 32 bits.
constexpr std::int64_t kFirstOwnPid = 1'500'000'000, kFirstOwnTid = 1'000'000'000;
constexpr std::int64_t kSyncTid = 1'000'000; // as Kineto since PyTorch 2.12: sync rows beside their stream
constexpr std::int64_t kDeviceSort = 5'000'000;

bool isOnDevice(const Lane& lane) {
    return lane.kind == LaneKind::GpuStream || lane.kind == LaneKind::GpuSync ||
           lane.kind == LaneKind::GpuRange;
}

// Rows that nest in the rows of their thread share its track.
bool nestsInThread(const Lane& lane, const Trace& trace) {
    return lane.kind != LaneKind::Overhead &&
           (lane.kind != LaneKind::Range || trace.strings().view(lane.title).empty());
}

std::string indexOr(bool isThere, std::size_t index) {
    return isThere ? std::to_string(index) : "null";
}

void appendText(std::string_view key, std::string_view text, std::string& out) {
    ((out += '"') += key) += "\":";
    appendQuotedText(text, out);
}

} // namespace

Layout::Layout(const Trace& trace, const std::vector<bool>& lanes, const std::vector<bool>& counters)
    : m_trace(trace), m_lanes(trace.lanes().size()), m_counters(trace.counters().size()),
      m_processPids(trace.processes().size()), m_devicePids(trace.devices().size(), -1),
      m_usedDevices(trace.devices().size(), false) {
    for (std::size_t i = 0; i < m_processPids.size(); ++i)
        m_processPids[i] = processPid(ProcessId{static_cast<std::uint32_t>(i)});
    std::size_t number = 0;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        if (!lanes[i])
            continue;
        const Lane& lane = trace.lanes()[i];
        LanePlace& place = m_lanes[i];
        place.number = number++;
        if (isOnDevice(lane)) {
            place.pid = devicePid(lane.device);
            const bool isSync = lane.kind == LaneKind::GpuSync;
            place.tid = freeTid(place.pid, isSync ? kSyncTid + lane.sourceId : lane.sourceId);
        } else {
            place.pid = lane.process ? m_processPids[lane.process.v] : 0;
            const std::int64_t tid = lane.thread ? trace.threads()[lane.thread.v].tid : lane.sourceId;
            place.tid =
                nestsInThread(lane, trace) ? tid : freeTid(place.pid, kFirstOwnTid + static_cast<int>(i));
        }
    }
    number = 0;
    for (std::size_t i = 0; i < m_counters.size(); ++i) {
        if (!counters[i])
            continue;
        const CounterTrack& counter = trace.counters()[i];
        m_counters[i].number = number++;
        if (counter.device)
            m_counters[i].pid = devicePid(counter.device);
        else if (counter.process)
            m_counters[i].pid = m_processPids[counter.process.v];
    }
}

std::int64_t Layout::processPid(ProcessId id) {
    const Process& process = m_trace.processes()[id.v];
    const bool isOwnNumber = process.osPid && process.idText == std::to_string(*process.osPid);
    std::int64_t pid = isOwnNumber ? *process.osPid : kFirstOwnPid + id.v;
    while (!m_pids.insert(pid).second)
        ++pid;
    return pid;
}

std::int64_t Layout::devicePid(DeviceId id) {
    std::int64_t& pid = m_devicePids[id.v];
    if (pid >= 0)
        return pid;
    m_usedDevices[id.v] = true;
    pid = std::max<std::int64_t>(0, m_trace.devices()[id.v].ordinal);
    if (!m_pids.insert(pid).second) {
        pid = kFirstOwnPid + 100'000'000 + id.v;
        m_pids.insert(pid);
    }
    return pid;
}

std::int64_t Layout::freeTid(std::int64_t pid, std::int64_t wanted) {
    std::int64_t tid = wanted;
    for (std::int64_t next = kFirstOwnTid; !m_threads.insert({pid, tid}).second; ++next)
        tid = next;
    return tid;
}

std::string Layout::deviceTitle(DeviceId id) const {
    const Device& device = m_trace.devices()[id.v];
    std::string title = "GPU " + std::to_string(device.ordinal);
    if (!device.name.empty())
        title += " (" + device.name + ")";
    if (device.process) {
        const Process& process = m_trace.processes()[device.process.v];
        title +=
            " of " + (process.name.empty() ? std::string("process") : process.name) + " " + process.idText;
    }
    return title;
}

std::string Layout::laneTitle(const Lane& lane) const {
    const std::string title(m_trace.strings().view(lane.title));
    if (isOnDevice(lane))
        return title.empty() ? "stream " + std::to_string(lane.sourceId) : title;
    std::string name = lane.thread ? m_trace.threads()[lane.thread.v].name : std::string();
    if (name.empty())
        name = "thread " +
               (lane.thread ? m_trace.threads()[lane.thread.v].idText : std::to_string(lane.sourceId));
    if (nestsInThread(lane, m_trace))
        return name;
    return name + ": " + (lane.kind == LaneKind::Overhead ? std::string("overhead") : title);
}

void Layout::appendLists(std::string& out) const {
    std::string_view separator;
    const auto begin = [&](std::string_view list) {
        ((out += ",\n\"") += list) += "\":[";
        separator = "\n{";
    };
    const auto item = [&] {
        out += separator;
        separator = ",\n{";
    };
    begin("processes");
    for (const Process& process : m_trace.processes()) {
        item();
        appendText("id", process.idText, out);
        out += ',';
        appendText("name", process.name, out);
        if (process.osPid)
            out += ",\"os_pid\":" + std::to_string(*process.osPid);
        out += ",\"sort_index\":" + std::to_string(process.sortIndex) + "}";
    }
    out += ']';
    begin("threads");
    for (const Thread& thread : m_trace.threads()) {
        item();
        out += "\"process\":" + indexOr(bool(thread.process), thread.process.v) + ",";
        appendText("id", thread.idText, out);
        out += ',';
        appendText("name", thread.name, out);
        out += '}';
    }
    out += ']';
    begin("devices");
    std::vector<std::size_t> deviceNumbers(m_usedDevices.size());
    std::size_t devices = 0;
    for (std::size_t i = 0; i < m_usedDevices.size(); ++i) {
        if (!m_usedDevices[i])
            continue;
        deviceNumbers[i] = devices++;
        const Device& device = m_trace.devices()[i];
        item();
        out += "\"process\":" + indexOr(bool(device.process), device.process.v) +
               ",\"ordinal\":" + std::to_string(device.ordinal) + ",";
        appendText("name", device.name, out);
        out += '}';
    }
    out += ']';
    const auto deviceNumber = [&](DeviceId id) { return indexOr(bool(id), id ? deviceNumbers[id.v] : 0); };
    begin("lanes");
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        if (!m_lanes[i].number)
            continue;
        const Lane& lane = m_trace.lanes()[i];
        item();
        appendText("kind", laneKindName(lane.kind), out);
        out += ",\"process\":" + indexOr(bool(lane.process), lane.process.v) +
               ",\"thread\":" + indexOr(bool(lane.thread), lane.thread.v) +
               ",\"device\":" + deviceNumber(lane.device) + ",\"id\":" + std::to_string(lane.sourceId) + ",";
        appendText("title", m_trace.strings().view(lane.title), out);
        out += '}';
    }
    out += ']';
    begin("counters");
    for (std::size_t i = 0; i < m_counters.size(); ++i) {
        if (!m_counters[i].number)
            continue;
        const CounterTrack& counter = m_trace.counters()[i];
        item();
        out += "\"process\":" + indexOr(bool(counter.process), counter.process.v) +
               ",\"device\":" + deviceNumber(counter.device) + ",";
        appendText("name", counter.name, out);
        out += ',';
        appendText("unit", counter.unit, out);
        out += '}';
    }
    out += ']';
}

void Layout::appendNames(std::string& out) const {
    std::string_view separator = "\n{";
    const auto begin = [&](std::string_view what, std::int64_t pid, std::int64_t tid) {
        out += separator;
        separator = ",\n{";
        appendText("name", what, out);
        out += R"(,"ph":"M","ts":0.000,"pid":)" + std::to_string(pid) + ",\"tid\":" + std::to_string(tid) +
               ",\"args\":{";
    };
    const auto process = [&](std::int64_t pid, std::string_view name, std::string_view label,
                             std::int64_t sortIndex) {
        begin("process_name", pid, 0);
        appendText("name", name, out);
        out += "}}";
        begin("process_labels", pid, 0);
        appendText("labels", label, out);
        out += "}}";
        begin("process_sort_index", pid, 0);
        out += "\"sort_index\":" + std::to_string(sortIndex) + "}}";
    };
    for (std::size_t i = 0; i < m_processPids.size(); ++i) {
        const Process& item = m_trace.processes()[i];
        process(m_processPids[i], item.name.empty() ? "process " + item.idText : item.name,
                item.mpiRank ? "CPU, " + rankText(item) : "CPU", static_cast<std::int64_t>(i));
    }
    for (std::size_t i = 0; i < m_usedDevices.size(); ++i)
        if (m_usedDevices[i])
            process(m_devicePids[i], deviceTitle(DeviceId{static_cast<std::uint32_t>(i)}),
                    "GPU " + std::to_string(m_trace.devices()[i].ordinal),
                    kDeviceSort + static_cast<std::int64_t>(i));
    std::set<std::pair<std::int64_t, std::int64_t>> named;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const LanePlace& place = m_lanes[i];
        if (!place.number || !named.insert({place.pid, place.tid}).second)
            continue;
        begin("thread_name", place.pid, place.tid);
        appendText("name", laneTitle(m_trace.lanes()[i]), out);
        out += "}}";
        begin("thread_sort_index", place.pid, place.tid);
        out += "\"sort_index\":" + std::to_string(place.tid) + "}}";
    }
}

} // namespace lacuna::chrome
