#include "core/ncu/kernel_numbers.h"

#include "core/ncu/stall_reasons.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lacuna {

namespace {

constexpr std::array<std::string_view, 2> kDramShare{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                                                     "dram__throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr std::array<std::string_view, 2> kMemoryShare{
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr std::array<std::string_view, 2> kL1Share{"l1tex__throughput.avg.pct_of_peak_sustained_active",
                                                   "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"};
constexpr std::array<std::string_view, 2> kSharedWavefronts{"memory_l1_wavefronts_shared",
                                                            "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"};
constexpr std::array<std::string_view, 2> kDuration{"gpu__time_duration.sum", "gpu__time_duration.avg"};

std::optional<double> sectorsPerRequest(const NcuFile& file, const NcuKernel& kernel, std::string_view op) {
    const std::string stem = "_pipe_lsu_mem_global_op_" + std::string(op);
    if (const auto ratio = file.value(kernel, "l1tex__average_t_sectors_per_request" + stem + ".ratio"))
        return ratio;
    const auto sectors = file.value(kernel, "l1tex__t_sectors" + stem + ".sum");
    const auto requests = file.value(kernel, "l1tex__t_requests" + stem + ".sum");
    return sectors && requests && *requests > 0 ? std::optional(*sectors / *requests) : std::nullopt;
}

std::optional<double> excessShare(const NcuFile& file, const NcuKernel& kernel) {
    const auto all = file.value(kernel, "memory_l2_theoretical_sectors_global");
    const auto ideal = file.value(kernel, "memory_l2_theoretical_sectors_global_ideal");
    return all && ideal && *all > 0 ? std::optional(std::clamp(1 - *ideal / *all, 0.0, 1.0)) : std::nullopt;
}

} // namespace

std::optional<double> OccupancyLimits::least() const {
    std::optional<double> fewest;
    for (const auto& limit : {registers, sharedMemory, warps, blocks, barriers})
        if (limit && (!fewest || *limit < *fewest))
            fewest = limit;
    return fewest;
}

std::string OccupancyLimits::limiter() const {
    const auto fewest = least();
    std::string text;
    if (!fewest)
        return text;
    const std::array<std::pair<const std::optional<double>*, std::string_view>, 5> all{
        {{&registers, "registers"},
         {&sharedMemory, "shared memory"},
         {&warps, "warps"},
         {&blocks, "blocks"},
         {&barriers, "barriers"}}};
    for (const auto& [limit, name] : all)
        if (*limit && **limit <= *fewest)
            text.append(text.empty() ? "" : " and ").append(name);
    return text;
}

KernelNumbers numbersOf(const NcuFile& file, const NcuKernel& kernel) {
    const auto value = [&](std::string_view metric) { return file.value(kernel, metric); };
    KernelNumbers numbers;
    if (const auto ns = file.firstValue(kernel, kDuration); ns && *ns >= 0 && *ns < 9.0e18)
        numbers.durationNs = std::llround(*ns);
    numbers.smPct = value("sm__throughput.avg.pct_of_peak_sustained_elapsed");
    numbers.dramPct = file.firstValue(kernel, kDramShare);
    numbers.memoryPct = file.firstValue(kernel, kMemoryShare);
    numbers.l1Pct = file.firstValue(kernel, kL1Share);
    numbers.l2Pct = value("lts__throughput.avg.pct_of_peak_sustained_elapsed");
    numbers.occupancyPct = value("sm__warps_active.avg.pct_of_peak_sustained_active");
    numbers.theoreticalOccupancyPct = value("sm__maximum_warps_per_active_cycle_pct");
    numbers.loadSectorsPerRequest = sectorsPerRequest(file, kernel, "ld");
    numbers.storeSectorsPerRequest = sectorsPerRequest(file, kernel, "st");
    numbers.excessSectorShare = excessShare(file, kernel);
    numbers.bankConflicts = value("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum");
    numbers.sharedWavefronts = file.firstValue(kernel, kSharedWavefronts);
    numbers.wavesPerSm = value("launch__waves_per_multiprocessor");
    numbers.smCount = value("launch__sm_count");
    numbers.dramBytesPerSecond = value("dram__bytes.sum.per_second");
    numbers.limits = {value("launch__occupancy_limit_registers"), value("launch__occupancy_limit_shared_mem"),
                      value("launch__occupancy_limit_warps"), value("launch__occupancy_limit_blocks"),
                      value("launch__occupancy_limit_barriers")};
    return numbers;
}

std::string missingNumbers(const NcuFile& file) {
    std::array<std::size_t, 5> missing{};
    for (const NcuKernel& kernel : file.kernels) {
        const KernelNumbers numbers = numbersOf(file, kernel);
        missing[0] += numbers.smPct ? 0U : 1U;
        missing[1] += numbers.dramPct ? 0U : 1U;
        missing[2] += numbers.occupancyPct ? 0U : 1U;
        // A kernel without global loads has no ratio; only the metric itself tells that it was collected.
        const bool isCollected =
            numbers.loadSectorsPerRequest ||
            file.value(kernel, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum").has_value();
        missing[3] += isCollected ? 0U : 1U;
        missing[4] += stallsOf(file, kernel).measure == StallMeasure::None ? 1U : 0U;
    }
    constexpr std::array<std::string_view, 5> kNames{"SM throughput", "DRAM throughput", "achieved occupancy",
                                                     "sectors per request", "stall reasons"};
    std::string text;
    for (std::size_t i = 0; i < missing.size(); ++i) {
        if (missing[i] == 0)
            continue;
        text.append(text.empty() ? "" : ", ").append(kNames[i]);
        if (missing[i] < file.kernels.size())
            text.append(" (" + std::to_string(missing[i]) + " of " + std::to_string(file.kernels.size()) +
                        " kernels)");
    }
    return text.empty() ? text : "Not in the file: " + text + ".";
}

} // namespace lacuna
