#pragma once
// What ran on a device: unions per kind and the exclusive state timeline (analysis.md section 3). Additive:
// the states sum to the span. Communication = kernel names that contain one of communicationNames().

#include "core/base/interval_set.h"
#include "core/base/job_control.h"
#include "core/trace/trace.h"

#include <array>
#include <span>
#include <string_view>

namespace lacuna {

// Bits of a state mask, in the order of the names in JSON output.
enum DeviceWork : std::uint8_t { kCompute = 1, kCommunication = 2, kCopy = 4, kSet = 8 };

// The list shown next to any overlap number: nccl, rccl, nvshmem, cross_device_reduce, deep_ep.
std::span<const std::string_view> communicationNames();
bool isCommunicationName(std::string_view kernelName); // case-insensitive
// Work bit of a device operation; GraphLaunch counts as compute.
DeviceWork workOf(const Trace& trace, EventId deviceOp);

struct DeviceBusy {
    DeviceId device;
    std::uint64_t ops = 0; // kernels, copies, memsets, whole-graph rows, zero-length ones included
    TimeRange span;        // first start to last end
    std::int64_t busyNs = 0, sumNs = 0;
    std::array<std::int64_t, 16> stateNs{}; // exclusive, by mask; [0] = idle; sums to the span
    IntervalSet busy;
    std::array<IntervalSet, 4> byWork; // compute, communication, copy, set

    std::int64_t idleNs() const { return stateNs[0]; }
    std::int64_t exposedCommunicationNs() const;
    std::int64_t exposedCopyNs() const; // copy or set bit, neither compute nor communication
};

// The part of it inside a window: sets, busy and states are cut, span is the window, so that idle counts what
// lies before the first and after the last operation too. ops and sumNs stay those of the whole device.
// O(n). When the job is cancelled the result is incomplete and of no use.
DeviceBusy busyWithin(const DeviceBusy& whole, TimeRange window, JobControl& job);

// "idle", "compute", "compute+memcpy", ...
std::string stateName(unsigned mask);

// O(n log k) for n operations in k strips. When the job is cancelled the result is incomplete and of no use.
DeviceBusy deviceBusy(const Trace& trace, DeviceId device, JobControl& job);
// All device operations of the device, by (start, file order).
std::vector<EventId> deviceOps(const Trace& trace, DeviceId device);
// The same of the device's strips, where they are known: no look at the lanes of other devices. Of no use
// when the job was cancelled.
std::vector<EventId> deviceOps(const Trace& trace, std::span<const StripId> strips,
                               const JobControl& job = JobControl());

} // namespace lacuna
