#include "core/import/nsys/device_lanes.h"

namespace lacuna::nsys {

DeviceLanes::DeviceLanes(NsysReader& reader) : m_reader(reader), m_gpus(reader.db), m_titles(reader) {}

std::optional<std::int64_t> DeviceLanes::owner(std::optional<std::int64_t> globalPid) const {
    return globalPid ? std::optional(processKey(*globalPid)) : m_reader.onlyApiProcess;
}

DeviceId DeviceLanes::device(std::optional<std::int64_t> globalPid, std::int64_t ordinal) {
    const auto process = owner(globalPid);
    const DeviceId id = m_reader.builder.device(process ? m_reader.process(*process) : ProcessId{}, ordinal);
    Device& device = m_reader.builder.device(id);
    if (device.name.empty()) {
        device.name = m_gpus.name(process ? processNumber(*process) : 0, ordinal);
        if (const auto gpu = m_gpus.gpu(process ? processNumber(*process) : 0, ordinal))
            m_devicesOfGpu[*gpu].insert(id);
    }
    return id;
}

DeviceId DeviceLanes::onlyDeviceOf(std::int64_t gpu) const {
    const auto at = m_devicesOfGpu.find(gpu);
    return at != m_devicesOfGpu.end() && at->second.size() == 1 ? *at->second.begin() : DeviceId{};
}

LaneId DeviceLanes::lane(const Key& key, std::optional<std::int64_t> process) {
    if (m_lastLane && key == m_lastKey) // rows of one stream come in runs
        return m_lastLane;
    const auto [at, fresh] = m_lanes.try_emplace(key);
    if (fresh) {
        const std::string title = titleOf(key, process ? processNumber(*process) : 0);
        LaneKey laneKey;
        laneKey.kind = key.kind;
        laneKey.device = device(process, key.ordinal);
        laneKey.process = process ? m_reader.process(*process) : ProcessId{};
        laneKey.sourceId = key.stream;
        laneKey.title = title;
        at->second = m_reader.builder.lane(laneKey);
    }
    m_lastKey = key;
    m_lastLane = at->second;
    return m_lastLane;
}

std::string DeviceLanes::titleOf(const Key& key, std::int64_t process) {
    if (key.kind == LaneKind::GpuSync)
        return key.stream < 0 ? std::string("waits for the device or an event")
                              : "waits for stream " + std::to_string(key.stream);
    if (key.unified)
        return "unified memory";
    std::string title = m_titles.title(process, key.context, key.stream);
    // Stream numbers are unique in a process as a rule; where a second context reuses one, its lane says so.
    const auto [first, fresh] =
        m_firstContext.try_emplace(std::tuple{key.process, key.ordinal, key.stream}, key.context);
    if (!fresh && first->second != key.context)
        title += ", context " + std::to_string(key.context);
    return title;
}

LaneId DeviceLanes::stream(std::optional<std::int64_t> globalPid, std::int64_t ordinal, std::int64_t context,
                           std::int64_t stream) {
    const auto process = owner(globalPid);
    const Key key{LaneKind::GpuStream, process.value_or(-1), ordinal, context, stream, false};
    if (!m_lastLane || key != m_lastKey) {
        m_ordinalOfContext.try_emplace({key.process, context}, ordinal);
        m_ordinals[key.process].insert(ordinal);
    }
    return lane(key, process);
}

std::int64_t DeviceLanes::ordinalOf(std::optional<std::int64_t> globalPid,
                                    std::optional<std::int64_t> context, std::int64_t recorded) const {
    const std::int64_t process = owner(globalPid).value_or(-1);
    if (context)
        if (const auto at = m_ordinalOfContext.find({process, *context}); at != m_ordinalOfContext.end())
            return at->second;
    // A context without recorded work: the only device of the process, so that no empty device appears.
    const auto known = m_ordinals.find(process);
    return known != m_ordinals.end() && known->second.size() == 1 ? *known->second.begin() : recorded;
}

LaneId DeviceLanes::sync(std::optional<std::int64_t> globalPid, std::int64_t ordinal,
                         std::optional<std::int64_t> stream) {
    const auto process = owner(globalPid);
    return lane({LaneKind::GpuSync, process.value_or(-1), ordinal, 0, stream.value_or(-1), false}, process);
}

LaneId DeviceLanes::unifiedMemory(std::optional<std::int64_t> globalPid, std::int64_t ordinal) {
    const auto process = owner(globalPid);
    return lane({LaneKind::GpuStream, process.value_or(-1), ordinal, 0, 0, true}, process);
}

LaneId DeviceLanes::marks(std::optional<std::int64_t> globalPid, std::int64_t ordinal,
                          std::string_view title) {
    const auto process = owner(globalPid);
    LaneId& lane = m_marks[{process.value_or(-1), ordinal, title}];
    if (!lane) {
        LaneKey key;
        key.kind = LaneKind::Marks;
        key.device = device(process, ordinal);
        key.process = process ? m_reader.process(*process) : ProcessId{};
        key.title = title;
        lane = m_reader.builder.lane(key);
    }
    return lane;
}

} // namespace lacuna::nsys
