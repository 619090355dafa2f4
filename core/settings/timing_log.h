#pragma once
// What a training script printed about its steps when it ran without a profiler: "[12]: iter 18.0 ms, fps
// 7111" (features.md A15). A line counts when one of its numbers has a unit of time, behind it ("18.0 ms",
// "18.0ms/iter") or in its label ("time (ms): 18.0", "step_time_ms=18.0"); numbers without a unit are no
// times, since nobody knows in what they are. Of several times the label decides: of an iteration or a step,
// then any other "time", else the line says nothing. Times of a first iteration with a cold start are for
// the reader to leave out: outsideStep().

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct LoggedStep {
    std::optional<std::uint64_t> number; // as printed
    std::int64_t ns = 0;                 // above 0
    std::optional<double> loss;
    friend bool operator==(const LoggedStep&, const LoggedStep&) = default;
};

struct TimingLog {
    std::vector<LoggedStep> steps; // in the order of the lines
    std::size_t otherLines = 0;    // that are not empty and say no time
};

// O(length).
TimingLog readTimingLog(std::string_view text);

// As a setting: "0:10.2ms:2.31,1:10.1ms"; number and loss may be missing (":10.2ms").
std::string loggedStepsText(std::span<const LoggedStep> steps);
// Error: Unsupported, with a detail for people.
Result<std::vector<LoggedStep>> parseLoggedSteps(std::string_view text);

} // namespace lacuna
