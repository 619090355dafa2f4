#pragma once
// What a device did at a moment, as one thing: kernels before communication before copies and sets before
// nothing. The same for the report `limiters` and for the finding that says what limits the run, which goes
// on to say what the idle part waited for.

#include "core/analysis/device_busy.h"

#include <array>
#include <string_view>

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

std::string_view devicePartName(DevicePart part); // "kernel execution", "data movement"

// What limits a stretch of a device's time: its parts, which sum to the span, and their shares in tenths of a
// percent, which sum to 100.0 % (features.md E16): what is cut off goes to the parts that lost most.
struct DeviceParts {
    std::array<std::int64_t, kDeviceParts> ns{}, tenths{};
};
// All 0 of an empty span.
DeviceParts devicePartsOf(const DeviceBusy& busy);

} // namespace lacuna
