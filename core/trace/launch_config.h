#pragma once
// How a kernel was launched. Timeline rows (read again from the file) and Nsight Compute results use the same
// type, so that they can be compared.

#include <compare>
#include <cstdint>
#include <optional>

namespace lacuna {

struct Dim3 {
    std::uint32_t x = 0, y = 0, z = 0; // all 0: not known
    constexpr bool isKnown() const { return x != 0; }
    // Blocks of a grid or threads of a block; never overflows (three times 32 bits may: the limit then).
    constexpr std::uint64_t count() const {
        const std::uint64_t plane = std::uint64_t{x} * y;
        std::uint64_t all = 0;
        return __builtin_mul_overflow(plane, std::uint64_t{z}, &all) ? UINT64_MAX : all;
    }
    friend auto operator<=>(const Dim3&, const Dim3&) = default;
};

struct LaunchConfig {
    Dim3 grid, block;
    std::optional<std::uint32_t> registersPerThread;
    std::optional<std::uint64_t> staticSharedBytes, dynamicSharedBytes; // of a block
    std::optional<std::uint64_t> sharedBytes; // of a block, where only the sum of the two is told
    std::optional<std::uint64_t> localBytesPerThread;
    // As the trace reports it: an estimate of the writer. 0 may be a limit of the capture.
    std::optional<double> reportedOccupancyPct;

    std::optional<std::uint64_t> allSharedBytes() const {
        if (sharedBytes || !staticSharedBytes || !dynamicSharedBytes)
            return sharedBytes;
        return *staticSharedBytes + *dynamicSharedBytes;
    }
    friend auto operator<=>(const LaunchConfig&, const LaunchConfig&) = default;
};

} // namespace lacuna
