#pragma once
// What was said of the steps of a trace, in one phrase, for everything that leaves the program: a figure must
// not show a step time without telling which steps it is of.

#include "core/analysis/candidate_steps.h"
#include "core/analysis/step_times.h"

#include <cstdint>
#include <span>
#include <string>

namespace lacuna {

struct StepCaption {
    // "12 steps by ProfilerStep, 2 warm-up excluded"; "8 tokens, repeats of a pattern as the user said";
    // "8 candidate steps (unconfirmed)"; empty: nothing is known of steps.
    std::string text;
    std::int64_t medianNs = 0; // lower one of the measured steps; 0: none
};

// The candidates count where there are no steps. O(steps).
StepCaption stepCaption(const StepTimes& times, std::span<const CandidateSteps> candidates);
// The same of a trace. Error: Cancelled.
Result<StepCaption> stepCaption(const Trace& trace, const AnalysisSettings& settings, JobControl& job);

} // namespace lacuna
