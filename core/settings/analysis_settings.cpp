#include "core/settings/analysis_settings.h"

#include "core/base/text_format.h"
#include "core/settings/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lacuna {

namespace {

constexpr std::array kSettings = {
    SettingInfo{"warm_up", "include: statistics with the warm-up steps; exclude (default)"},
    SettingInfo{"start_up", "target: findings about the start-up; leave-out (default)"},
    SettingInfo{"steps.range", "Name of the ranges that are steps; # stands for numbers"},
    SettingInfo{"steps.pattern",
                "What the repeated pattern is: step, token, microbatch ...; TEXT:2 is the second"},
    SettingInfo{"samples_per_step", "Batch size: samples, images or tokens of one step"},
    SettingInfo{"flops_per_sample", "Floating-point operations of one sample"},
    SettingInfo{"flops_per_step", "Floating-point operations of one step"},
    SettingInfo{"peak_flops", "Peak FLOP/s of all GPUs together"},
    SettingInfo{"outside_step",
                "Step measured without a profiler: 11.4ms, or a total and its iterations: 250ms/100"},
    SettingInfo{"outside_steps",
                "Steps that a run without a profiler printed, NUMBER:TIME:LOSS: 0:10.2ms:2.31,1:10.1ms"},
    SettingInfo{"schedule", "Of the profiler: wait=2,warmup=2,active=5,repeat=1,skip_first=0"},
};

Error noSuchValue(std::string_view key, std::string_view value, std::string_view expected) {
    return {Errc::Unsupported,
            "'" + std::string(value) + "' is no value of " + std::string(key) + "; it is " +
                std::string(expected),
            {},
            {}};
}

Status setPositive(std::optional<double>& into, std::string_view key, std::string_view value) {
    if (value.empty()) {
        into.reset();
        return ok();
    }
    const auto number = parseNumber(value);
    if (!number || *number <= 0)
        return noSuchValue(key, value, "a number above 0");
    into = *number;
    return ok();
}

Status setChoice(bool& into, std::string_view key, std::string_view value, std::string_view on,
                 std::string_view off) {
    if (value != on && value != off)
        return noSuchValue(key, value, std::string(on) + " or " + std::string(off));
    into = value == on;
    return ok();
}

Status setPattern(std::optional<ConfirmedPattern>& into, std::string_view key, std::string_view value) {
    if (value.empty()) {
        into.reset();
        return ok();
    }
    ConfirmedPattern pattern;
    const std::size_t colon = value.rfind(':');
    pattern.meaning = trimmed(value.substr(0, colon));
    if (colon != std::string_view::npos) {
        const auto number = parseNumber(trimmed(value.substr(colon + 1)));
        constexpr double kMost = 1000;
        if (!number || *number < 1 || *number > kMost)
            return noSuchValue(key, value, "a word, or a word and the number of the candidate: token:2");
        pattern.number = static_cast<std::size_t>(*number);
    }
    if (pattern.meaning.empty())
        return noSuchValue(key, value, "a word such as step or token");
    into = std::move(pattern);
    return ok();
}

Status setOutside(std::optional<double>& into, std::string_view key, std::string_view value) {
    if (value.empty()) {
        into.reset();
        return ok();
    }
    const std::size_t slash = value.find('/');
    const auto time = parseTime(trimmed(value.substr(0, slash)));
    const auto count =
        slash == std::string_view::npos ? std::optional(1.0) : parseNumber(trimmed(value.substr(slash + 1)));
    if (slash != std::string_view::npos && !count)
        return noSuchValue(key, value, "a total and for how many iterations it is, such as 250ms/100");
    if (!time || *time <= 0 || *count < 1 || std::floor(*count) != *count)
        return noSuchValue(key, value, "a time such as 11.4ms, or a total and its iterations: 250ms/100");
    into = static_cast<double>(*time) / *count;
    return ok();
}

Status setLog(std::vector<LoggedStep>& into, std::string_view value) {
    auto steps = parseLoggedSteps(value);
    if (!steps)
        return Error{Errc::Unsupported, "outside_steps: " + steps.error().detail, {}, {}};
    into = *std::move(steps);
    return ok();
}

std::optional<double>* numberSetting(AnalysisSettings& settings, std::string_view key) {
    if (key == "samples_per_step")
        return &settings.samplesPerStep;
    if (key == "flops_per_sample")
        return &settings.flopsPerSample;
    if (key == "flops_per_step")
        return &settings.flopsPerStep;
    return key == "peak_flops" ? &settings.peakFlops : nullptr;
}

} // namespace

std::span<const SettingInfo> settingTable() {
    return kSettings;
}

Status changeSetting(AnalysisSettings& settings, std::string_view key, std::string_view value) {
    if (std::optional<double>* number = numberSetting(settings, key))
        return setPositive(*number, key, value);
    if (key == "warm_up")
        return setChoice(settings.includeWarmUp, key, value, "include", "exclude");
    if (key == "start_up")
        return setChoice(settings.startUpIsTarget, key, value, "target", "leave-out");
    if (key == "steps.pattern")
        return setPattern(settings.pattern, key, value);
    if (key == "outside_step")
        return setOutside(settings.outsideNs, key, value);
    if (key == "outside_steps")
        return setLog(settings.outsideLog, value);
    if (key == "steps.range" || key == "schedule") {
        (key == "schedule" ? settings.schedule : settings.stepRange) = value;
        return ok();
    }
    return settings.thresholds.set(key, value);
}

Status changeSetting(AnalysisSettings& settings, std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos)
        return Error{Errc::Unsupported, "'" + std::string(assignment) + "' is no KEY=VALUE", {}, {}};
    return changeSetting(settings, trimmed(assignment.substr(0, equals)),
                         trimmed(assignment.substr(equals + 1)));
}

Result<AnalysisSettings> readSettings(std::string_view text, AnalysisSettings base) {
    std::size_t line = 0;
    while (!text.empty()) {
        ++line;
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view one = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        one = trimmed(one);
        if (one.empty() || one.front() == '#')
            continue;
        if (const Status changed = changeSetting(base, one); !changed) {
            Error error = changed.error();
            error.place = "line " + std::to_string(line);
            return error;
        }
    }
    return base;
}

std::string settingsText(const AnalysisSettings& settings) {
    std::string text;
    const auto add = [&text](std::string_view key, std::string_view value) {
        text.append(key).append(" = ").append(value).append("\n");
    };
    const auto addNumber = [&add](std::string_view key, const std::optional<double>& value) {
        if (value)
            add(key, numberText(*value));
    };
    if (settings.includeWarmUp)
        add("warm_up", "include");
    if (settings.startUpIsTarget)
        add("start_up", "target");
    if (!settings.stepRange.empty())
        add("steps.range", settings.stepRange);
    if (settings.pattern)
        add("steps.pattern", settings.pattern->meaning + ":" + std::to_string(settings.pattern->number));
    addNumber("samples_per_step", settings.samplesPerStep);
    addNumber("flops_per_sample", settings.flopsPerSample);
    addNumber("flops_per_step", settings.flopsPerStep);
    addNumber("peak_flops", settings.peakFlops);
    if (settings.outsideNs)
        add("outside_step", thresholdText(ThresholdUnit::Ns, *settings.outsideNs));
    if (!settings.outsideLog.empty())
        add("outside_steps", loggedStepsText(settings.outsideLog));
    if (!settings.schedule.empty())
        add("schedule", settings.schedule);
    for (const ThresholdInfo& info : thresholdTable())
        if (!settings.thresholds.isDefault(info.id))
            add(info.key, settings.thresholds.text(info.id));
    return text;
}

} // namespace lacuna
