#pragma once
// Theoretical occupancy by the CUDA Toolkit's own cuda_occupancy.h, compiled in where CMake finds the
// toolkit. Without it there is no answer, not a guess: occupancyIsBuiltIn() says so, every function gives
// none.
//
// Occupancy is a clue and no aim: kernels at the roof may have little of it.

#include "core/ncu/gpu_properties.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lacuna {

bool occupancyIsBuiltIn();
// "CUDA 13.0", or "off (built without the CUDA Toolkit)": for --version and the panels.
std::string occupancySource();

struct OccupancyInput {
    int blockThreads = 0, registersPerThread = 0;
    std::uint64_t staticSharedBytes = 0, dynamicSharedBytes = 0;
};

struct Occupancy {
    int blocksPerSm = 0, warpsPerSm = 0, maxWarpsPerSm = 0;
    // Blocks that each resource allows; negative: it sets no limit.
    int limitWarps = 0, limitRegisters = 0, limitSharedMemory = 0, limitBlocks = 0;
    std::string limiter; // "registers", "shared memory and warps"; empty: nothing limits
    double share() const { return maxWarpsPerSm > 0 ? static_cast<double>(warpsPerSm) / maxWarpsPerSm : 0.0; }
};

// None: not built in, an unknown architecture, or a launch that the GPU cannot run.
std::optional<Occupancy> theoreticalOccupancy(const GpuProperties& gpu, const OccupancyInput& launch);

enum class OccupancyAxis : std::uint8_t { BlockThreads, Registers, SharedBytes };
// What-if: warps on a multiprocessor over one quantity, the others as they are; a pair for each value where
// the answer may change (block sizes by warps, registers by one, shared memory by KiB). Empty: not built in.
std::vector<std::pair<std::uint64_t, int>> occupancyCurve(const GpuProperties& gpu,
                                                          const OccupancyInput& launch, OccupancyAxis axis);

} // namespace lacuna
