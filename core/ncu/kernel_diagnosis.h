#pragma once
// What a launch is bound by and what to do about it.
//
//            DRAM low            DRAM high
// SM low     latency bound       memory bound
// SM high    compute bound       balanced
//
// High is half of the peak or more; from 70 % of the DRAM peak on a kernel is near the memory roof. Findings
// beside the bound say why: they come from sectors, bank conflicts, occupancy limits, the grid and the top
// stall reason. Occupancy is a clue, not an aim: it is named only where latency is the trouble.

#include "core/ncu/kernel_numbers.h"
#include "core/ncu/stall_reasons.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

inline constexpr double kHighPct = 50, kNearRoofPct = 70;
inline constexpr double kPoorSectors = 8;           // per request: twice the ideal of 4-byte accesses
inline constexpr double kMuchExcess = 0.2;          // of the sectors
inline constexpr double kManyConflicts = 0.2;       // of the wavefronts of shared memory
inline constexpr double kLowOccupancyPct = 50;      // theoretical
inline constexpr double kLargeStallShare = 1.0 / 3; // of the cycles per issued instruction

enum class Bound : std::uint8_t { Compute, Memory, Latency, Balanced };
std::string_view boundName(Bound bound); // "compute bound"

// The table above; none when one of the two is missing.
std::optional<Bound> boundOf(std::optional<double> smPct, std::optional<double> dramPct);

enum class FindingCode : std::uint8_t {
    MemoryRoof,     // near it: only fewer bytes help
    PoorCoalescing, // more sectors than the accesses need
    WideAccesses,   // many sectors a request, which 16-byte accesses need and others do not
    BankConflicts,
    LowOccupancy, // by a limit of the launch
    SmallGrid,    // fewer blocks than multiprocessors
    TopStall,
};
std::string_view findingName(FindingCode code); // "memory_roof", …

struct KernelFinding {
    FindingCode code = FindingCode::TopStall;
    std::string text;   // what was measured, a sentence without its full stop
    std::string action; // may be empty
};

struct KernelDiagnosis {
    KernelNumbers numbers;
    Stalls stalls;
    std::optional<Bound> bound;
    std::string verdict;                 // "Memory bound, near the memory roof: SM 9.7 %, DRAM 86.2 %."
    std::vector<KernelFinding> findings; // most telling first
    std::string action;                  // one sentence or two: of the bound and of the first finding
};

// "4.0 sectors per request: ideal for 4-byte accesses" (D20); empty without a ratio.
std::string coalescingText(const KernelNumbers& numbers);
bool isPoorlyCoalesced(const KernelNumbers& numbers);

KernelDiagnosis diagnose(const NcuFile& file, const NcuKernel& kernel);

} // namespace lacuna
