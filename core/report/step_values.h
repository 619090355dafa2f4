#pragma once
// The quantities of the measured steps, for statistics and histograms.

#include "core/analysis/step_times.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lacuna {

struct StepQuantity {
    std::string title;                // "Duration"
    std::vector<std::int64_t> values; // of the measured steps that have one, in order
};

// Duration, period, iteration, data, forward, backward, optimizer, busy, idle: those that the trace tells.
// Without the warm-up steps unless the settings include them.
std::vector<StepQuantity> stepQuantities(const StepTimes& times);
std::vector<std::int64_t> durationsOf(std::span<const StepTime> steps);

// "12 steps by ProfilerStep; 2 warm-up steps excluded of 12; mean ..., ..." in sentences for people.
std::vector<std::string> stepNotes(const Trace& trace, const StepTimes& times,
                                   const AnalysisSettings& settings, JobControl& job);

} // namespace lacuna
