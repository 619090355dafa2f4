#pragma once
// The step as measured without a profiler, which is what an optimisation is for: typed by the user, or the
// lines that a training script printed (core/settings/timing_log.h), beside the steps of the trace
// (features.md A15, A16, B23).

#include "core/analysis/step_times.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lacuna {

struct OutsideStep {
    double meanNs = 0;
    bool isFromLog = false;
    std::size_t lines = 0, warmUps = 0; // of the log; the first so many, by the rule of the trace's steps
    bool warmUpsIncluded = false;       // as the settings say
};
// None where the user told nothing. A typed value holds against a log. O(n).
std::optional<OutsideStep> outsideStep(const AnalysisSettings& settings);

// Which line of the log is which step of the trace: by number where every step of the trace has one of its
// own
// ("ProfilerStep#3") and the lines have them too; else in order, when there are as many lines as steps. A
// number that occurs twice in the log matches nothing.
struct LoggedMatch {
    enum class By : std::uint8_t { None, Number, Order };
    By by = By::None;
    std::vector<std::optional<std::size_t>> lineOfStep; // of StepTimes::steps
    std::size_t matched = 0;
};
LoggedMatch matchLog(const Trace& trace, const StepTimes& times, const AnalysisSettings& settings);

// "Outside measurement: 18.00 ms by 30 lines of a log; the capture adds +10.0 %." None where nothing is told
// or no step was measured.
std::vector<std::string> outsideSentences(const Trace& trace, const StepTimes& times,
                                          const AnalysisSettings& settings);

} // namespace lacuna
