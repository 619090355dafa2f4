#include "core/import/detail/chrome_written.h"

#include "core/import/detail/chrome_args.h"
#include "core/import/detail/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace lacuna::chrome {

namespace {

using Json = nlohmann::json;

std::string textOf(const Json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

std::int64_t numberOf(const Json& object, const char* key, std::int64_t fallback) {
    const auto at = object.find(key);
    return at != object.end() && at->is_number_integer() ? at->get<std::int64_t>() : fallback;
}

bool flagOf(const Json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_boolean() && at->get<bool>();
}

// The member of a list that a number names; none when the list has no such member.
template <class T> T memberOf(const std::vector<T>& list, const Json& object, const char* key) {
    const std::int64_t at = numberOf(object, key, -1);
    return at >= 0 && static_cast<std::uint64_t>(at) < list.size() ? list[static_cast<std::size_t>(at)] : T{};
}

template <class Visit> void forEachObject(const Json& root, const char* key, const Visit& visit) {
    const auto at = root.find(key);
    if (at == root.end() || !at->is_array())
        return;
    const Json none = Json::object(); // keeps the numbers of what follows
    for (const Json& item : *at)
        visit(item.is_object() ? item : none);
}

std::optional<LaneKind> laneKindOf(std::string_view name) {
    for (int kind = 0; kind < static_cast<int>(LaneKind::Counter); ++kind)
        if (laneKindName(static_cast<LaneKind>(kind)) == name)
            return static_cast<LaneKind>(kind);
    return std::nullopt;
}

std::optional<std::size_t> numberIn(const json::Value& value, std::size_t size) {
    if (!value)
        return std::nullopt;
    const auto number = json::asUnsigned(value.text);
    return number && *number < size ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

// What Kineto has no argument for.
struct OwnArgs {
    std::optional<std::int64_t> copyKind, sourceKind, targetKind, eventSyncId;
    bool hasGraph = false;
};

OwnArgs ownArgs(const json::Value& args) {
    OwnArgs out;
    if (args.type != json::ValueType::Object)
        return out;
    json::Members members(args.text);
    std::string_view name;
    json::Value value;
    while (members.next(name, value)) {
        if (name == "copy_kind")
            out.copyKind = json::asInteger(value.text);
        else if (name == "src_kind")
            out.sourceKind = json::asInteger(value.text);
        else if (name == "dst_kind")
            out.targetKind = json::asInteger(value.text);
        else if (name == "event_sync_id")
            out.eventSyncId = json::asInteger(value.text);
        else if (name == "graph id")
            out.hasGraph = true;
    }
    return out;
}

CopyKind copyKindOf(std::optional<std::int64_t> number) {
    const bool isKnown = number && ((*number >= 0 && *number <= 13) || *number == 100);
    return isKnown ? static_cast<CopyKind>(*number) : CopyKind::Unknown;
}

MemKind memKindOf(std::optional<std::int64_t> number) {
    return number && *number >= 0 && *number <= 7 ? static_cast<MemKind>(*number) : MemKind::Unknown;
}

} // namespace

void WrittenTrace::read(const json::Value& value) {
    const Json root = Json::parse(value.text, nullptr, false);
    if (!root.is_object() || numberOf(root, "version", 0) != 1)
        return;
    m_lanes.clear(); // of a document before this one
    m_counters.clear();
    m_writer = textOf(root, "writer");
    if (const std::string format = textOf(root, "format"); format == "kineto-json" || format == "chrome-json")
        m_format = format;
    if (root.contains("time_zero_ns") && numberOf(root, "time_zero_ns", -1) == 0) {
        m_hasTimeZero = true;
        m_builder.setTimeZero(TimeZero::FileZero);
    }
    if (const auto recorded = root.find("recorded"); recorded != root.end() && recorded->is_object()) {
        m_python = flagOf(*recorded, "python");
        m_osRuntime = flagOf(*recorded, "os_runtime");
        m_sync = flagOf(*recorded, "sync");
    }
    m_owners.clear();
    forEachObject(root, "owners", [&](const Json& item) {
        m_owners.push_back({numberOf(item, "ordinal", -1), numberOf(item, "sort_index", 0),
                            textOf(item, "process"), textOf(item, "name")});
    });
    std::vector<ProcessId> processes;
    forEachObject(root, "processes", [&](const Json& item) {
        const ProcessId id = m_builder.process(textOf(item, "id"));
        m_builder.process(id).name = textOf(item, "name");
        m_builder.process(id).sortIndex = numberOf(item, "sort_index", 0);
        if (item.contains("os_pid"))
            m_builder.process(id).osPid = numberOf(item, "os_pid", 0);
        processes.push_back(id);
    });
    std::vector<ThreadId> threads;
    forEachObject(root, "threads", [&](const Json& item) {
        const ProcessId process = memberOf(processes, item, "process");
        threads.push_back(process ? m_builder.thread(process, textOf(item, "id")) : ThreadId{});
        if (process)
            m_builder.thread(threads.back()).name = textOf(item, "name");
    });
    std::vector<DeviceId> devices;
    forEachObject(root, "devices", [&](const Json& item) {
        devices.push_back(
            m_builder.device(memberOf(processes, item, "process"), numberOf(item, "ordinal", 0)));
        m_builder.device(devices.back()).name = textOf(item, "name");
    });
    forEachObject(root, "lanes", [&](const Json& item) {
        const auto kind = laneKindOf(textOf(item, "kind"));
        const std::string title = textOf(item, "title");
        LaneKey key;
        key.process = memberOf(processes, item, "process");
        key.thread = memberOf(threads, item, "thread");
        key.device = memberOf(devices, item, "device");
        key.sourceId = numberOf(item, "id", 0);
        key.title = title;
        WrittenLane lane;
        // A device lane without device, or a host lane without process, cannot be drawn.
        if (kind && (isDeviceLane(*kind) ? bool(key.device) : bool(key.process))) {
            key.kind = *kind;
            lane.id = m_builder.lane(key);
            lane.domain = key.process ? std::uint64_t{key.process.v} + 1 : 0;
        }
        m_lanes.push_back(lane);
    });
    forEachObject(root, "counters", [&](const Json& item) {
        m_counters.push_back(m_builder.counter(textOf(item, "name"), memberOf(processes, item, "process"),
                                               memberOf(devices, item, "device"), textOf(item, "unit")));
    });
}

std::optional<WrittenTrace::WrittenLane> WrittenTrace::laneOf(const json::Event& event) const {
    const auto number = numberIn(event.lane, m_lanes.size());
    return number && m_lanes[*number].id ? std::optional(m_lanes[*number]) : std::nullopt;
}

CounterId WrittenTrace::counterOf(const json::Event& event) const {
    const auto number = numberIn(event.lane, m_counters.size());
    return number ? m_counters[*number] : CounterId{};
}

void WrittenTrace::add(const json::Event& event, EventKind kind, StringId name, TimeRange range) {
    const auto lane = laneOf(event);
    if (!lane)
        return;
    const RowArgs args = deviceArgs(event.args);
    RawEvent row;
    row.lane = lane->id;
    row.beginNs = range.begin.v;
    row.endNs = range.end.v;
    row.name = name;
    row.kind = kind;
    row.source = SourceRef::offset(event.offset);
    if (args.correlation != 0 && lane->domain != 0)
        row.correlation = (lane->domain << 32) + (args.correlation & 0xffffffffu);
    const std::uint32_t at = m_builder.add(row);
    m_builder.report().keep(kind);
    if (!isDeviceOp(kind) && kind != EventKind::Sync)
        return;

    const OwnArgs own = ownArgs(event.args);
    if (kind == EventKind::Memcpy || kind == EventKind::Memset)
        m_builder.setCopy(at, {{},
                               args.bytes.value_or(0),
                               copyKindOf(own.copyKind),
                               memKindOf(own.sourceKind),
                               memKindOf(own.targetKind)});
    if (kind == EventKind::Sync) {
        SyncArgs sync = syncArgs(m_builder.strings().view(name), args);
        if (event.cat.text == "cuda_event")
            sync.kind = SyncKind::EventRecord;
        sync.eventSyncId = own.eventSyncId.value_or(-1);
        m_builder.setSync(at, sync);
    }
    if (own.hasGraph)
        m_builder.setGraph(at, {{}, args.graph, args.graphNode});
}

void WrittenTrace::applyFacts() const {
    TraceFacts& facts = m_builder.facts();
    if (!m_writer.empty())
        facts.writer = m_writer;
    if (!m_lanes.empty())
        facts.format = "chrome-json"; // its categories are Kineto's, its rows are not
    else if (!m_format.empty())
        facts.format = m_format;
    for (std::size_t i = 0; i < m_builder.deviceCount(); ++i) {
        Device& device = m_builder.device(DeviceId{static_cast<std::uint32_t>(i)});
        const auto owner = std::find_if(m_owners.begin(), m_owners.end(),
                                        [&](const Owner& o) { return o.ordinal == device.ordinal; });
        if (device.process || owner == m_owners.end() || owner->process.empty())
            continue;
        device.process = m_builder.process(owner->process);
        Process& process = m_builder.process(device.process);
        if (process.name.empty()) {
            process.name = owner->name;
            process.sortIndex = owner->sortIndex;
        }
    }
    facts.pythonRecorded = facts.pythonRecorded || m_python;
    facts.osRuntimeRecorded = facts.osRuntimeRecorded || m_osRuntime;
    facts.syncRowsRecorded = facts.syncRowsRecorded || m_sync;
}

} // namespace lacuna::chrome
