#pragma once
// Why warps of a kernel did not issue: the reasons Nsight Compute knows, what each means and what to do.

#include "core/ncu/ncu_file.h"

#include <span>
#include <string_view>
#include <vector>

namespace lacuna {

struct StallReason {
    std::string_view id; // of the metric: "long_scoreboard"
    std::string_view title, meaning, action;
    bool isStall = true;    // "selected" and "not_selected" are no stalls: the warp issues, or could
    bool isHealthy = false; // no problem to solve, however large: the machine is in use
};

// All known reasons, by id.
std::span<const StallReason> stallReasons();
const StallReason* findStallReason(std::string_view id); // null: newer than this program

// What a figure of the file is: the forms differ between versions and collections.
enum class StallMeasure : std::uint8_t {
    None,           // the file has no stall reasons
    CyclesPerIssue, // smsp__average_warps_issue_stalled_R_per_issue_active.ratio (or the older
                    // average_warp_latency): warp cycles per issued instruction; they add up to
                    // smsp__average_warp_latency_per_inst_issued
    ShareOfCycles,  // smsp__warp_issue_stalled_R_per_warp_active.pct: percent of the warps' cycles
    Samples,        // smsp__pcsamp_warps_issue_stalled_R: samples; here as a share of all, in percent
};
std::string_view stallMeasureName(StallMeasure measure); // "cycles per issued instruction", …

struct Stall {
    std::string_view id; // of the file's strings or of stallReasons(): lives as long as the file
    const StallReason* reason = nullptr; // null: unknown to this program
    double value = 0;                    // as the measure says
    bool isStall() const { return reason == nullptr || reason->isStall; }
    bool isHealthy() const { return reason != nullptr && reason->isHealthy; }
};

struct Stalls {
    StallMeasure measure = StallMeasure::None;
    std::vector<Stall> reasons; // largest first, then by id; zero values included
    double total = 0;           // their sum
    // The largest that is a stall; null without one above zero.
    const Stall* top() const;
};

// O(metrics of the kernel).
Stalls stallsOf(const NcuFile& file, const NcuKernel& kernel);

} // namespace lacuna
