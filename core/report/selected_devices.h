#pragma once
// The devices that a report is about.

#include "core/report/report.h"

#include <vector>

namespace lacuna {

// Devices with the ordinal of the options, in the order of the trace; all without one.
inline std::vector<DeviceId> selectedDevices(const ReportInput& input) {
    std::vector<DeviceId> devices;
    for (std::uint32_t d = 0; d < input.trace.devices().size(); ++d)
        if (!input.options.device || input.trace.devices()[d].ordinal == *input.options.device)
            devices.push_back({d});
    return devices;
}

} // namespace lacuna
