#pragma once
// Steps with what happened in each, and which of them to leave out of statistics.

#include "core/analysis/steps.h"
#include "core/base/interval_set.h"
#include "core/base/job_control.h"
#include "core/base/result.h"

#include <span>
#include <string>
#include <vector>

namespace lacuna {

// Judgement, in one place.
struct StepThresholds {
    double warmUpFactor = 1.5;  // leading steps of at least this times the lower median are warm-up
    double unusualFactor = 2.0; // later ones of at least this are unusual
};

struct StepTime {
    EventId event;
    TimeRange range;
    std::int64_t busyNs = 0;     // union over the devices, inside the step
    std::int64_t dataNs = 0;     // union of data-loading rows, inside the step
    std::uint64_t deviceOps = 0; // that start in the step
    bool isWarmUp = false, isUnusual = false;
};

struct StepTimes {
    std::string source; // as Steps::source
    std::vector<StepTime> steps;
    std::size_t warmUps = 0; // the first so many
    std::span<const StepTime> measured() const { return std::span(steps).subspan(warmUps); }
};

// Leading steps that are slow against the lower median; never more than half of all, so that a run that
// gets faster and faster is not all warm-up.
std::size_t countWarmUps(std::span<const std::int64_t> durations, const StepThresholds& thresholds);

// devices: whose work counts. O(n log n) over device rows and data-loading rows. Error: Cancelled.
Result<StepTimes> stepTimes(const Trace& trace, std::span<const DeviceId> devices, JobControl& job,
                            const StepThresholds& thresholds = {});

} // namespace lacuna
