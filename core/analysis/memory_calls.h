#pragma once
// Calls of the CUDA API that take memory of a device or pin memory of the host, by name.

#include <algorithm>
#include <array>
#include <string_view>

namespace lacuna {

// Frees, pools and mappings are none. O(length).
inline bool takesMemory(std::string_view call) {
    constexpr std::array<std::string_view, 11> kCalls{"cudaMalloc",   "cudaHostAlloc",  "cudaHostRegister",
                                                      "cuMemAlloc",   "cuMemHostAlloc", "cuMemHostRegister",
                                                      "cuMemCreate",  "hipMalloc",      "hipHostMalloc",
                                                      "hipHostAlloc", "hipHostRegister"};
    return std::any_of(kCalls.begin(), kCalls.end(),
                       [call](std::string_view start) { return call.starts_with(start); });
}

} // namespace lacuna
