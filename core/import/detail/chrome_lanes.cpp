#include "core/import/detail/chrome_lanes.h"

#include "core/import/detail/chrome_ranks.h"
#include "core/import/detail/json_text.h"

#include <algorithm>
#include <cstring>

namespace lacuna::chrome {

namespace {

constexpr std::size_t kCachedLanes = 4096, kCachedStreams = 1024; // powers of two
constexpr std::size_t kShort = sizeof(std::uint64_t);

// Text of up to 7 bytes with its length and type in the first byte; 0 when it is longer.
std::uint64_t packed(const json::Value& value) {
    if (value.text.size() >= kShort)
        return 0;
    std::uint64_t bits = 0;
    if (value)
        std::memcpy(&bits, value.text.data(), value.text.size());
    return (bits << 8) | (value.text.size() << 4) | (static_cast<std::uint64_t>(value.type) + 1);
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    std::uint64_t x = (a ^ (b * 0x9E3779B97F4A7C15ull) ^ (c << 56)) * 0xff51afd7ed558ccdull;
    return x ^ (x >> 32);
}

// "483" for 483, "483" and 483.0; other texts as they are. Missing and null: `fallback`.
void assignId(const json::Value& value, std::string_view fallback, std::string& out) {
    if (!value || (value.type == json::ValueType::Scalar && (value.text == "null" || value.text == "None"))) {
        out = fallback;
        return;
    }
    std::string scratch;
    const std::string_view text = json::meaning(value, scratch);
    if (const auto number = json::asInteger(text))
        out = std::to_string(*number);
    else
        out = text;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    return text;
}

// Kineto writes "thread 483 (pt_autograd_0)": the name is what stands in brackets. "thread 483" names
// nothing.
std::string_view threadName(std::string_view text) {
    text = trimmed(text);
    if (!text.starts_with("thread ") || text.size() < 8 ||
        (text[7] != '-' && (text[7] < '0' || text[7] > '9')))
        return text;
    const std::size_t open = text.find(" (");
    if (open == std::string_view::npos || !text.ends_with(')'))
        return {};
    return text.substr(open + 2, text.size() - open - 3);
}

} // namespace

std::string_view rankPrefix(std::string_view pid) {
    const std::size_t close = pid.starts_with('[') ? pid.find("] ") : std::string_view::npos;
    return close == std::string_view::npos ? std::string_view{} : pid.substr(0, close + 1);
}

Lanes::Lanes(TraceBuilder& builder, const Names* known)
    : m_builder(builder), m_cache(kCachedLanes), m_streams(kCachedStreams) {
    if (known == nullptr)
        return;
    m_names = *known;
    m_deviceNames = DeviceNames(m_names);
    m_areNamesKnown = true;
}

std::string_view Lanes::pidText(const json::Event& event) {
    assignId(event.pid, "0", m_pid);
    return m_pid;
}

std::string_view Lanes::tidText(const json::Event& event) {
    assignId(event.tid, m_pid, m_tid);
    return m_tid;
}

// Fills m_pid, m_tid and m_key.
const std::string& Lanes::threadKey(const json::Event& event) {
    pidText(event);
    tidText(event);
    m_key.assign(m_pid).push_back('\0'); // as threadKeyOf(), without a new text
    return m_key.append(m_tid);
}

ProcessId Lanes::processOf(const std::string& pid, bool isPython) {
    if (isPython && pid == "0") {
        if (m_mainProcess)
            return *m_mainProcess;
        if (!m_pythonZero && !m_processes.contains(pid))
            m_pythonZero = m_builder.process(pid);
        if (m_pythonZero)
            return *m_pythonZero;
    }
    const auto known = m_processes.find(pid);
    if (known != m_processes.end())
        return known->second;
    ProcessId id;
    if (m_pythonZero && !m_mainProcess && pid != "0") {
        // The Python rows came first, under the 0 that stands for this process.
        id = *m_pythonZero;
        m_builder.process(id).idText = pid;
        m_builder.process(id).osPid = json::asInteger(pid);
    } else {
        id = m_builder.process(pid);
    }
    if (!m_mainProcess && pid != "0")
        m_mainProcess = id;
    m_processes.emplace(pid, id);
    if (const std::string_view rank = rankPrefix(pid); !rank.empty())
        m_ranks.try_emplace(std::string(rank), id);
    return id;
}

ThreadId Lanes::threadOf(ProcessId process, std::string_view pid, std::string_view tid) {
    std::string key = threadKeyOf(pid, tid);
    const auto known = m_threads.find(key);
    if (known != m_threads.end())
        return known->second;
    const ThreadId id = m_builder.thread(process, tid);
    m_threads.emplace(std::move(key), id);
    return id;
}

LaneId Lanes::findHostLane(LaneKind kind, const json::Event& event) {
    pidText(event);
    tidText(event);
    LaneKey key;
    key.kind = kind;
    key.process = processOf(m_pid, kind == LaneKind::Python);
    key.thread = threadOf(key.process, m_pid, m_tid);
    key.sourceId = m_builder.thread(key.thread).tid;
    const LaneId lane = m_builder.lane(key);
    m_hostLanes.try_emplace(lane, key.thread);
    return lane;
}

LaneId Lanes::hostLane(LaneKind kind, const json::Event& event) {
    const std::uint64_t pid = packed(event.pid), tid = packed(event.tid);
    if (pid == 0 || tid == 0)
        return findHostLane(kind, event);
    const auto key = static_cast<std::uint8_t>(static_cast<unsigned>(kind) + 1);
    CachedLane& cached = m_cache[mixed(pid, tid, key) & (kCachedLanes - 1)];
    if (cached.key != key || cached.pid != pid || cached.tid != tid)
        cached = {pid, tid, key, findHostLane(kind, event)};
    return cached.lane;
}

ProcessId Lanes::process(const json::Event& event) {
    pidText(event);
    return processOf(m_pid, false);
}

LaneId Lanes::processLane(LaneKind kind, const json::Event& event, std::string_view title) {
    LaneKey key;
    key.kind = kind;
    key.process = process(event);
    key.title = title;
    return m_builder.lane(key);
}

DeviceId Lanes::findDevice(std::string_view pidText, std::int64_t ordinal) const {
    const auto known = m_devices.find(std::string(rankPrefix(pidText)) + '/' + std::to_string(ordinal));
    return known == m_devices.end() ? DeviceId{} : known->second;
}

DeviceId Lanes::device(std::string_view pidText, std::int64_t ordinal) {
    const std::string rank(rankPrefix(pidText));
    const auto [at, isNew] = m_devices.try_emplace(rank + '/' + std::to_string(ordinal));
    if (isNew) {
        const auto owner = m_ranks.find(rank);
        at->second = m_builder.device(owner == m_ranks.end() ? ProcessId{} : owner->second, ordinal);
    }
    return at->second;
}

LaneId Lanes::deviceLane(LaneKind kind, const json::Event& event, std::optional<std::int64_t> device,
                         std::optional<std::int64_t> stream) {
    const auto key = static_cast<std::uint8_t>(static_cast<unsigned>(kind) + 1);
    const bool isPlain = device && stream && !event.pid.text.starts_with('['); // no rank in front
    CachedStream* const cached = isPlain ? &m_streams[mixed(static_cast<std::uint64_t>(*device),
                                                            static_cast<std::uint64_t>(*stream), key) &
                                                      (kCachedStreams - 1)]
                                         : nullptr;
    if (cached != nullptr && cached->key == key && cached->device == *device && cached->stream == *stream)
        return cached->lane;

    threadKey(event);
    LaneKey laneKey;
    laneKey.kind = kind;
    laneKey.device = this->device(m_pid, device.value_or(lastNumber(m_pid).value_or(0)));
    laneKey.sourceId = stream.value_or(lastNumber(m_tid).value_or(-1));
    const LaneId lane = m_builder.lane(laneKey);
    m_streamLanes.try_emplace(lane, m_key);
    if (cached != nullptr)
        *cached = {*device, *stream, key, lane};
    return lane;
}

std::uint32_t Lanes::threadNumber(const json::Event& event) {
    const auto next = static_cast<std::uint32_t>(m_threadNumbers.size());
    return m_threadNumbers.try_emplace(threadKey(event), next).first->second;
}

std::vector<std::pair<std::uint32_t, LaneId>> Lanes::lanesOfThreads() const {
    std::unordered_map<ThreadId, std::vector<std::uint32_t>> numbersOfThread; // "7" and 0/7 of a Python row
    for (const auto& [key, thread] : m_threads)
        if (const auto number = m_threadNumbers.find(key); number != m_threadNumbers.end())
            numbersOfThread[thread].push_back(number->second);
    std::vector<std::pair<std::uint32_t, LaneId>> all;
    for (const auto& [lane, thread] : m_hostLanes)
        if (const auto numbers = numbersOfThread.find(thread); numbers != numbersOfThread.end())
            for (const std::uint32_t number : numbers->second)
                all.emplace_back(number, lane);
    for (const auto& [lane, key] : m_streamLanes)
        if (const auto number = m_threadNumbers.find(key); number != m_threadNumbers.end())
            all.emplace_back(number->second, lane);
    return all;
}

std::uint32_t Lanes::correlationDomain(const json::Event& event, bool isHost) {
    const std::string_view rank =
        event.pid.type == json::ValueType::String ? rankPrefix(event.pid.text) : std::string_view{};
    const auto next = static_cast<std::uint32_t>(m_domains.size() + kPlainDomain + 1);
    if (!rank.empty())
        return m_domains.try_emplace(std::string(rank), next).first->second;
    if (!isHost)
        return kPlainDomain;
    if (m_lastHostDomain != 0 && event.pid.text == m_lastHostPid)
        return m_lastHostDomain;
    pidText(event);
    const bool isFirst = m_hostDomains.empty();
    const auto [at, isNew] = m_domains.try_emplace(m_pid, isFirst ? kPlainDomain : next);
    if (isNew)
        m_hostDomains.push_back(at->second);
    m_lastHostPid = event.pid.text;
    m_lastHostDomain = at->second;
    return m_lastHostDomain;
}

DeviceLine Lanes::deviceLine(const json::Event& event) {
    if (event.cat.text == "cuda" && event.pid.text.starts_with("Device ") &&
        event.tid.text.starts_with("Stream ")) // nsys2json
        return {DeviceLine::Role::Work, lastNumber(event.pid.text).value_or(0),
                lastNumber(event.tid.text).value_or(-1)};
    return hasDeviceNames() ? m_deviceNames.lineOf(threadKey(event), m_names) : DeviceLine{};
}

void Lanes::metadata(const json::Event& event) {
    const std::string_view what = event.name.text;
    Names::Map* const map = what == "process_name"         ? &m_names.processes
                            : what == "thread_name"        ? &m_names.threads
                            : what == "process_sort_index" ? &m_names.sortIndexes
                                                           : nullptr;
    if (map == nullptr || m_areNamesKnown || event.args.type != json::ValueType::Object)
        return;
    const std::string_view wanted = what == "process_sort_index" ? "sort_index" : "name";
    json::Members members(event.args.text);
    std::string_view name;
    json::Value value;
    while (members.next(name, value)) {
        if (name != wanted)
            continue;
        threadKey(event);
        std::string& kept = (*map)[map == &m_names.threads ? m_key : m_pid];
        kept.clear();
        if (value.type == json::ValueType::String)
            json::appendUnescaped(value.text, kept);
        else
            kept = value.text;
        if (map == &m_names.processes)
            m_deviceNames.process(m_pid, kept);
        else if (map == &m_names.threads)
            m_deviceNames.thread(kept);
    }
}

void Lanes::applyNames() {
    for (const auto& [pid, id] : m_processes) {
        Process& process = m_builder.process(id);
        if (const auto name = m_names.processes.find(pid); name != m_names.processes.end())
            process.name = trimmed(name->second);
        if (const auto index = m_names.sortIndexes.find(pid); index != m_names.sortIndexes.end())
            process.sortIndex = json::asInteger(index->second).value_or(0);
    }
    for (const auto& [key, id] : m_threads)
        if (const auto name = m_names.threads.find(key); name != m_names.threads.end())
            m_builder.thread(id).name = threadName(name->second);
    for (const auto& [lane, key] : m_streamLanes)
        if (const auto name = m_names.threads.find(key); name != m_names.threads.end())
            m_builder.setLaneTitle(lane, trimmed(name->second));
}

} // namespace lacuna::chrome
