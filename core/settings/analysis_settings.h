#pragma once
// What a user tells the analyses beside the trace: thresholds, what a step is, sizes that no trace records.
// A settings file has one "key = value" per line; a line that begins with '#' is a comment.

#include "core/base/result.h"
#include "core/settings/thresholds.h"
#include "core/settings/timing_log.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

// What a repeated pattern was confirmed to be; it stays a candidate until a user says so.
struct ConfirmedPattern {
    std::string meaning;    // "step", "token", "microbatch" …
    std::size_t number = 1; // of the candidate, 1 = first
    friend bool operator==(const ConfirmedPattern&, const ConfirmedPattern&) = default;
};

struct AnalysisSettings {
    Thresholds thresholds;
    bool includeWarmUp = false;
    bool startUpIsTarget = false; // findings come from the time before the first measured step
    std::string stepRange;        // name of the ranges that are steps, numbers as '#'; empty: found by rule
    std::optional<ConfirmedPattern> pattern;
    std::optional<double> samplesPerStep, flopsPerSample, flopsPerStep, peakFlops; // FLOP, FLOP/s
    std::optional<double> outsideNs;    // a step as measured without a profiler
    std::vector<LoggedStep> outsideLog; // steps as a run without a profiler printed them
    std::string schedule;               // "wait=1,warmup=1,active=3,repeat=1"; empty: not told
    friend bool operator==(const AnalysisSettings&, const AnalysisSettings&) = default;
};

struct SettingInfo {
    std::string_view key, meaning;
};
std::span<const SettingInfo> settingTable(); // all keys but those of thresholds

// Error: Unsupported, with a detail that names the key.
Status changeSetting(AnalysisSettings& settings, std::string_view key, std::string_view value);
// "key=value" or "key = value".
Status changeSetting(AnalysisSettings& settings, std::string_view assignment);
// Lines of a settings file. Error: Unsupported; its place is "line N".
Result<AnalysisSettings> readSettings(std::string_view text, AnalysisSettings base = {});
// What differs from the defaults, as readSettings() takes it.
std::string settingsText(const AnalysisSettings& settings);

} // namespace lacuna
