#pragma once
// The exclusive states of a device in a window, without a copy of its sets.

#include "core/analysis/device_busy.h"

#include <array>
#include <cstdint>

namespace lacuna {

// By mask, as DeviceBusy::stateNs; they sum to the window, [0] counts what lies before the first and after
// the last operation too. O(log n + ranges in the window). Of no use when the job was cancelled.
std::array<std::int64_t, 16> statesWithin(const DeviceBusy& whole, TimeRange window, JobControl& job);

} // namespace lacuna
