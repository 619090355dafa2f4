#pragma once
// How much of an operation's time the device did something else as well. Exposed: nothing else ran on the
// device, so that shortening the operation can shorten the run; overlapped: another stream was at work.

#include "core/base/interval_set.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <vector>

namespace lacuna {

class DeviceOverlap {
public:
    // Of all devices. O(n log n) over the device operations. Error: Cancelled.
    static Result<DeviceOverlap> of(const Trace& trace, JobControl& job);

    // Time of the operation in which at least one other operation of its device ran; the rest of its duration
    // is exposed. 0 for rows that are no device work. O(log n + stretches).
    DurationNs overlapped(EventId op) const;
    // Where two operations or more ran at once on a device.
    const IntervalSet& shared(DeviceId device) const { return m_shared[device.v]; }

private:
    const Trace* m_trace = nullptr;
    std::vector<IntervalSet> m_shared; // by device
};

} // namespace lacuna
