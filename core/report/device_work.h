#pragma once
// The operations of each device, for the vendor's rules about idle and badly used devices.

#include "core/report/report_rows.h"

#include <vector>

namespace lacuna {

struct DeviceWorkRows {
    DeviceId device;
    std::vector<EventId> ops; // by start
    std::int64_t firstStart = 0, lastEnd = 0;
};

// Devices with at least one operation of the kinds that the options select, in the order of the trace.
Result<std::vector<DeviceWorkRows>> workByDevice(const ReportInput& input, KindMask kinds, JobControl& job);
// Context of each of these operations; none where it is not recorded.
Result<std::vector<std::optional<std::int64_t>>> contextsOf(const ReportInput& input,
                                                            const std::vector<EventId>& ops, JobControl& job);

} // namespace lacuna
