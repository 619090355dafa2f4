#include "core/analysis/throughput.h"

namespace lacuna {

Throughput throughputOf(const AnalysisSettings& settings, double meanStepNs) {
    constexpr double kNsPerSecond = 1e9;
    Throughput result;
    if (meanStepNs > 0 && settings.samplesPerStep)
        result.samplesPerSecond = *settings.samplesPerStep * kNsPerSecond / meanStepNs;
    if (meanStepNs > 0 && settings.flopsPerStep)
        result.flopsPerSecond = *settings.flopsPerStep * kNsPerSecond / meanStepNs;
    else if (result.samplesPerSecond && settings.flopsPerSample)
        result.flopsPerSecond = *result.samplesPerSecond * *settings.flopsPerSample;
    if (result.flopsPerSecond && settings.peakFlops)
        result.utilisation = *result.flopsPerSecond / *settings.peakFlops;
    if (meanStepNs <= 0)
        result.missing = "There are no measured steps.";
    else if (!result.flopsPerSecond && settings.flopsPerSample)
        result.missing = "Enter the samples per step.";
    else if (!result.flopsPerSecond)
        result.missing = "Enter the FLOPs per sample or per step.";
    else if (!settings.peakFlops)
        result.missing = "Enter the peak FLOP/s.";
    return result;
}

} // namespace lacuna
