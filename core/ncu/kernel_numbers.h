#pragma once
// The figures that a diagnosis of one profiled launch rests on, taken from whichever metric of the file tells
// them. Absent is absent, never 0.

#include "core/ncu/ncu_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

// Blocks that fit on a multiprocessor by each resource.
struct OccupancyLimits {
    std::optional<double> registers, sharedMemory, warps, blocks, barriers;
    // Those that allow the fewest: "shared memory", "registers and warps". Empty: not in the file.
    std::string limiter() const;
    std::optional<double> least() const;
};

struct KernelNumbers {
    std::optional<std::int64_t> durationNs; // of the profiler's run: beside timeline times, never among them
    std::optional<double> smPct, dramPct;   // of peak
    std::optional<double> memoryPct;        // caches and pipes included
    std::optional<double> l1Pct, l2Pct;
    std::optional<double> occupancyPct, theoreticalOccupancyPct;
    // 32-byte sectors per request of a warp; absent without requests. 4 is what a full warp of 4-byte
    // accesses needs, 16 with 16-byte accesses, 32 the worst.
    std::optional<double> loadSectorsPerRequest, storeSectorsPerRequest;
    std::optional<double> excessSectorShare; // of the global sectors, beyond what the accesses need; 0 to 1
    std::optional<double> bankConflicts, sharedWavefronts; // of shared memory
    std::optional<double> wavesPerSm, smCount;
    std::optional<double> dramBytesPerSecond;
    OccupancyLimits limits;
};

KernelNumbers numbersOf(const NcuFile& file, const NcuKernel& kernel);

// Which of the five numbers (SM, DRAM, occupancy, sectors per request, stall reasons) the launches of a file
// lack, as a sentence; empty: none.
std::string missingNumbers(const NcuFile& file);

} // namespace lacuna
