#pragma once
// Steps with what happened in each, and which of them to leave out of statistics.

#include "core/analysis/phase_names.h"
#include "core/analysis/step_selection.h"
#include "core/base/interval_set.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/settings/analysis_settings.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lacuna {

struct StepTime {
    EventId event; // none for repeats of a pattern
    TimeRange range;
    std::int64_t busyNs = 0;     // union over the devices, inside the step
    std::uint64_t deviceOps = 0; // that start in the step
    // Union of data-loading rows from the end of the step before to the end of this one: loops load in front
    // of what they time. None for a first step that has none inside, and where the trace has no such rows.
    std::optional<std::int64_t> dataNs;
    std::int64_t iterationNs = 0; // the step without the data loading inside it
    // Union of the ranges of each phase inside the step, all threads; none where the trace has no such
    // ranges. Backward: autograd's operators where no range says it. By PhaseKind; Data is dataNs.
    std::array<std::optional<std::int64_t>, kPhaseKinds> phaseNs{};
    bool isWarmUp = false, isUnusual = false;

    std::int64_t idleNs() const { return range.length().v - busyNs; }
};

struct StepTimes {
    std::string source;  // as StepSelection
    std::string meaning; // "step"
    std::string remark;
    std::vector<StepTime> steps;
    std::size_t warmUps = 0;      // the first so many
    bool warmUpsIncluded = false; // as the settings say
    std::span<const StepTime> measured() const {
        return std::span(steps).subspan(warmUpsIncluded ? 0 : warmUps);
    }
    std::optional<TimeRange> measuredWindow() const; // first begin to last end of measured()
};

// Leading steps that are slow against the lower median; never more than half of all, so that a run that
// gets faster and faster is not all warm-up.
std::size_t countWarmUps(std::span<const std::int64_t> durations, double warmUpFactor);

// devices: whose work counts. O(n log n) over device rows and data-loading rows. Error: Cancelled.
Result<StepTimes> stepTimes(const Trace& trace, std::span<const DeviceId> devices,
                            const AnalysisSettings& settings, JobControl& job);

// Keeps the steps that overlap the range.
void keepStepsOf(StepTimes& times, TimeRange range);

// "ProfilerStep#3", or "token 3 (pattern)" for repeats of a pattern.
std::string stepTitle(const Trace& trace, const StepTimes& times, std::size_t step);

} // namespace lacuna
