#pragma once
// Samples per second and model FLOP/s utilisation, from step times and sizes that no trace records.

#include "core/settings/analysis_settings.h"

#include <optional>
#include <string>

namespace lacuna {

struct Throughput {
    std::optional<double> samplesPerSecond; // samples of a step / time of a step
    std::optional<double> flopsPerSecond;
    std::optional<double> utilisation; // flopsPerSecond / peak; 0.3 = 30 %
    std::string missing;               // what to enter for the utilisation; empty when it is known
};

// meanStepNs: mean of the step times, not of their inverses: a batch of 128 in steps of 10 and 30 ms is 6,400
// samples a second (features.md A09). Nothing is known for 0.
Throughput throughputOf(const AnalysisSettings& settings, double meanStepNs);

} // namespace lacuna
