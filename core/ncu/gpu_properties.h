#pragma once
// What of a GPU limits how many blocks a multiprocessor holds.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lacuna {

struct GpuProperties {
    std::string_view name;
    int computeMajor = 0, computeMinor = 0;
    int multiprocessors = 0;
    int maxThreadsPerBlock = 1024, maxThreadsPerSm = 0, warpSize = 32;
    int registersPerBlock = 65'536, registersPerSm = 65'536;
    std::uint64_t sharedPerBlock = 49'152; // without opting in
    std::uint64_t sharedPerSm = 0, sharedPerBlockOptin = 0;
    std::uint64_t reservedSharedPerBlock = 0; // of the system, from compute capability 8 on
    int maxWarpsPerSm() const { return maxThreadsPerSm / warpSize; }
};

// GPUs of data centres and workstations since Volta. Sources: the vendor's table "Technical Specifications
// per Compute Capability" for what follows from the architecture, its data sheets for multiprocessors.
std::span<const GpuProperties> knownGpus();

// By the name that drivers report ("NVIDIA A100-SXM4-80GB"); none for others.
std::optional<GpuProperties> knownGpu(std::string_view reportedName);

} // namespace lacuna
