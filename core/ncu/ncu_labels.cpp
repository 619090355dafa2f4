#include "core/ncu/ncu_labels.h"

#include <array>

namespace lacuna {

namespace {

struct NcuLabel {
    std::string_view section, label, unit, metric; // an empty unit fits any
};

constexpr std::string_view kSpeedOfLight = "GPU Speed Of Light Throughput",
                           kMemory = "Memory Workload Analysis", kCompute = "Compute Workload Analysis",
                           kScheduler = "Scheduler Statistics", kWarps = "Warp State Statistics",
                           kLaunch = "Launch Statistics", kOccupancy = "Occupancy",
                           kInstructions = "Instruction Statistics";

constexpr std::array kLabels{
    NcuLabel{kSpeedOfLight, "DRAM Frequency", {}, "dram__cycles_elapsed.avg.per_second"},
    NcuLabel{kSpeedOfLight, "SM Frequency", {}, "gpc__cycles_elapsed.avg.per_second"},
    NcuLabel{kSpeedOfLight, "Elapsed Cycles", {}, "gpc__cycles_elapsed.max"},
    NcuLabel{kSpeedOfLight, "Memory Throughput", "%",
             "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    NcuLabel{kSpeedOfLight, "Memory [%]", "%",
             "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    NcuLabel{kSpeedOfLight, "DRAM Throughput", "%", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    NcuLabel{kSpeedOfLight, "Duration", {}, "gpu__time_duration.sum"},
    NcuLabel{kSpeedOfLight, "L1/TEX Cache Throughput", "%",
             "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    NcuLabel{kSpeedOfLight, "L2 Cache Throughput", "%", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    NcuLabel{kSpeedOfLight, "SM Active Cycles", {}, "sm__cycles_active.avg"},
    NcuLabel{kSpeedOfLight, "Compute (SM) Throughput", "%",
             "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    NcuLabel{kSpeedOfLight, "Compute (SM) [%]", "%", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    NcuLabel{kSpeedOfLight, "SM [%]", "%", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    NcuLabel{kMemory, "Memory Throughput", "byte/s", "dram__bytes.sum.per_second"},
    NcuLabel{kMemory, "Mem Busy", "%",
             "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed"},
    NcuLabel{kMemory, "Max Bandwidth", "%",
             "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"},
    NcuLabel{kMemory, "Mem Pipes Busy", "%", "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    NcuLabel{kMemory, "L1/TEX Hit Rate", "%", "l1tex__t_sector_hit_rate.pct"},
    NcuLabel{kMemory, "L2 Hit Rate", "%", "lts__t_sector_hit_rate.pct"},
    NcuLabel{kCompute, "Executed Ipc Active", {}, "sm__inst_executed.avg.per_cycle_active"},
    NcuLabel{kCompute, "Executed Ipc Elapsed", {}, "sm__inst_executed.avg.per_cycle_elapsed"},
    NcuLabel{kScheduler, "Active Warps Per Scheduler", {}, "smsp__warps_active.avg.per_cycle_active"},
    NcuLabel{kScheduler, "Eligible Warps Per Scheduler", {}, "smsp__warps_eligible.avg.per_cycle_active"},
    NcuLabel{kScheduler, "Issued Warp Per Scheduler", {}, "smsp__issue_active.avg.per_cycle_active"},
    NcuLabel{kScheduler, "One or More Eligible", "%", "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    NcuLabel{kScheduler, "No Eligible", "%", "smsp__issue_inst0.avg.pct_of_peak_sustained_active"},
    NcuLabel{
        kWarps, "Warp Cycles Per Issued Instruction", {}, "smsp__average_warp_latency_per_inst_issued.ratio"},
    NcuLabel{kInstructions, "Executed Instructions", {}, "smsp__inst_executed.sum"},
    NcuLabel{kLaunch, "Block Size", {}, "launch__block_size"},
    NcuLabel{kLaunch, "Grid Size", {}, "launch__grid_size"},
    NcuLabel{kLaunch, "Registers Per Thread", {}, "launch__registers_per_thread"},
    NcuLabel{kLaunch, "Static Shared Memory Per Block", {}, "launch__shared_mem_per_block_static"},
    NcuLabel{kLaunch, "Dynamic Shared Memory Per Block", {}, "launch__shared_mem_per_block_dynamic"},
    NcuLabel{kLaunch, "Driver Shared Memory Per Block", {}, "launch__shared_mem_per_block_driver"},
    NcuLabel{kLaunch, "Shared Memory Configuration Size", {}, "launch__shared_mem_config_size"},
    NcuLabel{kLaunch, "Waves Per SM", {}, "launch__waves_per_multiprocessor"},
    NcuLabel{kLaunch, "Threads", {}, "launch__thread_count"},
    NcuLabel{kLaunch, "# SMs", {}, "launch__sm_count"},
    NcuLabel{kOccupancy, "Block Limit SM", {}, "launch__occupancy_limit_blocks"},
    NcuLabel{kOccupancy, "Block Limit Registers", {}, "launch__occupancy_limit_registers"},
    NcuLabel{kOccupancy, "Block Limit Shared Mem", {}, "launch__occupancy_limit_shared_mem"},
    NcuLabel{kOccupancy, "Block Limit Warps", {}, "launch__occupancy_limit_warps"},
    NcuLabel{kOccupancy, "Block Limit Barriers", {}, "launch__occupancy_limit_barriers"},
    NcuLabel{kOccupancy, "Theoretical Active Warps per SM", {}, "sm__maximum_warps_avg_per_active_cycle"},
    NcuLabel{kOccupancy, "Theoretical Occupancy", "%", "sm__maximum_warps_per_active_cycle_pct"},
    NcuLabel{kOccupancy, "Achieved Occupancy", "%", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    NcuLabel{kOccupancy, "Achieved Active Warps Per SM", {}, "sm__warps_active.avg.per_cycle_active"},
};

} // namespace

std::string_view ncuMetricOfLabel(std::string_view section, std::string_view label, std::string_view unit) {
    if (section == "GPU Speed Of Light") // before 2022.3
        section = kSpeedOfLight;
    for (const NcuLabel& known : kLabels)
        if (known.label == label && known.section == section && (known.unit.empty() || known.unit == unit))
            return known.metric;
    return {};
}

} // namespace lacuna
