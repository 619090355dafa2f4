#pragma once
// The devices of a trace, in its order.

#include "core/trace/trace.h"

#include <vector>

namespace lacuna {

inline std::vector<DeviceId> allDevices(const Trace& trace) {
    std::vector<DeviceId> devices;
    devices.reserve(trace.devices().size());
    for (std::uint32_t d = 0; d < trace.devices().size(); ++d)
        devices.push_back({d});
    return devices;
}

} // namespace lacuna
