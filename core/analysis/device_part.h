#pragma once
// What a device did at a moment, as one thing: kernels before communication before copies and sets before
// nothing. The same for the report `limiters` and for the finding that says what limits the run, which goes
// on to say what the idle part waited for.

#include "core/analysis/device_busy.h"

namespace lacuna {

enum class DevicePart : std::uint8_t { Kernels, Communication, Copies, Idle };
inline constexpr std::size_t kDeviceParts = 4;

// Of a mask of DeviceWork bits.
constexpr DevicePart devicePart(unsigned state) {
    return (state & kCompute) != 0         ? DevicePart::Kernels
           : (state & kCommunication) != 0 ? DevicePart::Communication
           : state != 0                    ? DevicePart::Copies
                                           : DevicePart::Idle;
}

} // namespace lacuna
