#pragma once
// deviceBusy() and deviceOps() for several devices of a trace. What both need to know of the whole trace is
// collected once, so that many devices do not cost devices x lanes.

#include "core/analysis/device_busy.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lacuna {

// The trace must outlive it. Not thread-safe.
class BusyDevices {
public:
    explicit BusyDevices(const Trace& trace); // O(lanes + strips + names)

    // As deviceBusy() and deviceOps() tell, without a look at other devices.
    DeviceBusy busy(DeviceId device, JobControl& job);
    // Span and busy time alone, for which no set is made.
    struct Extent {
        TimeRange span;
        std::int64_t busyNs = 0;
    };
    Extent extent(DeviceId device) const;
    // Of no use when the job was cancelled.
    std::vector<EventId> ops(DeviceId device, const JobControl& job = JobControl()) const;
    // Of the device's streams, in order of lanes.
    std::span<const StripId> strips(DeviceId device) const;

private:
    DeviceWork workOfOp(EventId op);

    const Trace& m_trace;
    std::vector<std::uint32_t> m_first; // by device: of m_strips; one more than there are
    std::vector<StripId> m_strips;
    std::vector<std::uint8_t> m_workOfName; // looked up once: kernel names are long and few
};

} // namespace lacuna
