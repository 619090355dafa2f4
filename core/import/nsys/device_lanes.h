#pragma once
// Devices and their lanes: one device per (process, CUDA ordinal), one lane per (process, context, stream).
// Rows without globalPid belong to the only process with API rows, or to nobody.

#include "core/import/nsys/target_info.h"

#include <compare>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace lacuna::nsys {

class DeviceLanes {
public:
    explicit DeviceLanes(NsysReader& reader);

    DeviceId device(std::optional<std::int64_t> globalPid, std::int64_t ordinal);
    LaneId stream(std::optional<std::int64_t> globalPid, std::int64_t ordinal, std::int64_t context,
                  std::int64_t stream);
    // The device of a context, told by the work that ran in it. Synchronisation rows need it: their deviceId
    // is 0 in files of several GPUs, whatever device they waited for (seen in three public files).
    std::int64_t ordinalOf(std::optional<std::int64_t> globalPid, std::optional<std::int64_t> context,
                           std::int64_t recorded) const;
    // Synchronisation rows; stream none: waits for an event or a whole context.
    LaneId sync(std::optional<std::int64_t> globalPid, std::int64_t ordinal,
                std::optional<std::int64_t> stream);
    // Copies that the unified-memory driver makes by itself carry stream 0 and belong to no stream.
    LaneId unifiedMemory(std::optional<std::int64_t> globalPid, std::int64_t ordinal);
    // Events of a device that are no work of a stream; the title is kept by reference.
    LaneId marks(std::optional<std::int64_t> globalPid, std::int64_t ordinal, std::string_view title);
    // The one device of this trace on a physical GPU (nsys's number); none when there are several or none.
    DeviceId onlyDeviceOf(std::int64_t gpu) const;

private:
    struct Key {
        LaneKind kind = LaneKind::GpuStream;
        std::int64_t process = 0, ordinal = 0, context = 0, stream = 0;
        bool unified = false;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    LaneId lane(const Key& key, std::optional<std::int64_t> process);
    std::string titleOf(const Key& key, std::int64_t process);
    std::optional<std::int64_t> owner(std::optional<std::int64_t> globalPid) const;

    NsysReader& m_reader;
    GpuNames m_gpus;
    StreamTitles m_titles;
    std::map<Key, LaneId> m_lanes;
    std::map<std::tuple<std::int64_t, std::int64_t, std::string_view>, LaneId> m_marks;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::int64_t> m_firstContext;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> m_ordinalOfContext; // by (process, context)
    std::map<std::int64_t, std::set<std::int64_t>> m_ordinals;                        // with work, by process
    std::map<std::int64_t, std::set<DeviceId>> m_devicesOfGpu;
    Key m_lastKey;
    LaneId m_lastLane;
};

} // namespace lacuna::nsys
