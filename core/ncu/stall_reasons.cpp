#include "core/ncu/stall_reasons.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lacuna {

namespace {

constexpr std::array kStallReasons{
    StallReason{"barrier", "Barrier", "waits for other warps of its block at __syncthreads",
                "use smaller blocks or fewer barriers, and spread the work evenly over the warps"},
    StallReason{"branch_resolving", "Branch Resolving", "waits for the target of a branch",
                "use fewer and more uniform branches; unroll short loops"},
    StallReason{"dispatch_stall", "Dispatch Stall", "the dispatcher holds the instruction back",
                "rarely a cause of its own; look at the other reasons"},
    StallReason{"drain", "Drain", "waits at its end until its stores have left",
                "store less or coalesce the last stores; let blocks do more work each"},
    StallReason{"gmma", "GMMA", "waits for an asynchronous matrix instruction",
                "keep more matrix instructions in flight, or overlap them with copies"},
    StallReason{"imc_miss", "IMC Miss", "waits for the cache of constants",
                "read constants uniformly over the warp; use fewer different ones"},
    StallReason{"lg_throttle", "LG Throttle", "the queue of local and global accesses is full",
                "make fewer, wider accesses; avoid spilling registers"},
    StallReason{
        "long_scoreboard", "Long Scoreboard", "waits for data of global, local, surface or texture memory",
        "coalesce accesses, reuse data in shared memory or registers, load ahead, and have more warps or "
        "independent loads in flight"},
    StallReason{"math_pipe_throttle", "Math Pipe Throttle", "waits for a busy arithmetic unit",
                "none needed: the arithmetic units are in use", true, true},
    StallReason{"membar", "Membar", "waits for a memory fence", "use fewer or narrower fences"},
    StallReason{"mio_throttle", "MIO Throttle",
                "the queue of shared-memory, special and dynamic-branch instructions is full",
                "make fewer, wider shared-memory accesses; spread special functions over other work"},
    StallReason{"misc", "Misc", "waits for another reason", "look at the other reasons"},
    StallReason{"no_instruction", "No Instruction", "waits for the next instruction to be fetched",
                "shorten the code, avoid jumps over long distances; use more warps"},
    StallReason{"not_selected", "Not Selected", "could issue, but another warp was chosen",
                "none needed: there are enough warps", false, true},
    StallReason{"selected", "Selected", "issues an instruction", "none needed: this is the work", false,
                true},
    StallReason{"short_scoreboard", "Short Scoreboard", "waits for shared memory or a special function",
                "avoid bank conflicts of shared memory and many special functions in a row"},
    StallReason{"sleeping", "Sleeping", "all threads of the warp sleep", "use fewer or shorter __nanosleep"},
    StallReason{"tex_throttle", "TEX Throttle", "the queue of texture accesses is full",
                "make fewer texture accesses; read through global loads instead"},
    StallReason{"wait", "Wait", "waits for the fixed time of its last instruction",
                "have more independent instructions in a warp, or more warps"},
    StallReason{"warpgroup_arrive", "Warpgroup Arrive", "waits for the warps of its warp group",
                "spread the work evenly over the warps of a group"},
};

struct StallForm {
    StallMeasure measure;
    std::string_view before, after;
};

constexpr std::array kStallForms{
    StallForm{StallMeasure::CyclesPerIssue, "smsp__average_warps_issue_stalled_", "_per_issue_active.ratio"},
    StallForm{StallMeasure::CyclesPerIssue, "smsp__average_warp_latency_issue_stalled_", ".ratio"},
    StallForm{StallMeasure::ShareOfCycles, "smsp__warp_issue_stalled_", "_per_warp_active.pct"},
    StallForm{StallMeasure::Samples, "smsp__pcsamp_warps_issue_stalled_", ""},
};

// Sampled metrics write one reason otherwise.
std::string_view spelledAsRatio(std::string_view id) {
    return id == "no_instructions" ? std::string_view("no_instruction") : id;
}

// The reason that a metric of that form is about; empty: none.
std::string_view reasonIn(std::string_view metric, const StallForm& form) {
    if (!metric.starts_with(form.before) || !metric.ends_with(form.after) ||
        metric.size() <= form.before.size() + form.after.size())
        return {};
    metric.remove_prefix(form.before.size());
    metric.remove_suffix(form.after.size());
    const bool isName = metric.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == metric.npos;
    return isName && !metric.ends_with("_not_issued") ? spelledAsRatio(metric) : std::string_view{};
}

} // namespace

std::span<const StallReason> stallReasons() {
    return kStallReasons;
}

const StallReason* findStallReason(std::string_view id) {
    const auto at = std::find_if(kStallReasons.begin(), kStallReasons.end(),
                                 [id](const StallReason& reason) { return reason.id == id; });
    return at == kStallReasons.end() ? nullptr : &*at;
}

std::string_view stallMeasureName(StallMeasure measure) {
    switch (measure) {
    case StallMeasure::None:
        return "not in the file";
    case StallMeasure::CyclesPerIssue:
        return "cycles per issued instruction";
    case StallMeasure::ShareOfCycles:
        return "percent of warp cycles";
    case StallMeasure::Samples:
        return "percent of samples";
    }
    return "not in the file";
}

const Stall* Stalls::top() const {
    const auto at = std::find_if(reasons.begin(), reasons.end(), [](const Stall& s) { return s.isStall(); });
    return at != reasons.end() && at->value > 0 ? &*at : nullptr;
}

Stalls stallsOf(const NcuFile& file, const NcuKernel& kernel) {
    Stalls stalls;
    for (const StallForm& form : kStallForms) {
        for (const NcuMetric& metric : kernel.metrics) {
            const std::string_view id = reasonIn(file.text(metric.name), form);
            if (!id.empty() && !metric.text && std::isfinite(metric.value) && metric.value >= 0)
                stalls.reasons.push_back({id, findStallReason(id), metric.value});
        }
        if (!stalls.reasons.empty()) {
            stalls.measure = form.measure;
            break;
        }
    }
    for (const Stall& stall : stalls.reasons)
        stalls.total += stall.value;
    if (stalls.measure == StallMeasure::Samples && stalls.total > 0) {
        for (Stall& stall : stalls.reasons)
            stall.value *= 100 / stalls.total;
        stalls.total = 100;
    }
    std::sort(stalls.reasons.begin(), stalls.reasons.end(), [](const Stall& a, const Stall& b) {
        return a.value != b.value ? a.value > b.value : a.id < b.id;
    });
    return stalls;
}

} // namespace lacuna
