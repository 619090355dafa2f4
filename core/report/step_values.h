#pragma once
// The quantities of the measured steps, for statistics and histograms.

#include "core/analysis/step_times.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class StepValue : std::uint8_t {
    Duration,
    Period, // from its begin to that of the next step
    Iteration,
    Data,
    Forward,
    Backward,
    Optimizer,
    Busy,
    Idle
};
std::string_view stepValueTitle(StepValue value); // "GPU Busy"
// None where the trace does not tell it.
std::optional<std::int64_t> stepValue(const StepTimes& times, std::size_t step, StepValue value);

struct StepQuantity {
    std::string title;                // "Duration"
    std::vector<std::int64_t> values; // of the measured steps that have one, in order
    StepValue which = StepValue::Duration;
    std::vector<std::size_t> steps; // beside the values: of StepTimes::steps
};

inline constexpr std::size_t kStepBins = 20; // of histograms of a quantity

// Duration, period, iteration, data, forward, backward, optimizer, busy, idle: those that the trace tells.
// Without the warm-up steps unless the settings include them.
std::vector<StepQuantity> stepQuantities(const StepTimes& times);
std::vector<std::int64_t> durationsOf(std::span<const StepTime> steps);

// "12 steps by ProfilerStep; 2 warm-up steps excluded of 12; mean ..., ..." in sentences for people.
std::vector<std::string> stepNotes(const Trace& trace, const StepTimes& times,
                                   const AnalysisSettings& settings, JobControl& job);

} // namespace lacuna
