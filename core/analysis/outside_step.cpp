#include "core/analysis/outside_step.h"

#include "core/analysis/sample_statistics.h"
#include "core/base/ascii.h"
#include "core/base/text_format.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace lacuna {

namespace {

// The whole number that a name ends with: "ProfilerStep#3", "iteration 12".
std::optional<std::uint64_t> numberAtEnd(std::string_view name) {
    constexpr std::size_t kMostDigits = 15;
    std::size_t begin = name.size();
    while (begin > 0 && isDigit(name[begin - 1]))
        --begin;
    if (begin == name.size() || name.size() - begin > kMostDigits)
        return std::nullopt;
    std::uint64_t number = 0;
    for (const char digit : name.substr(begin))
        number = number * 10 + static_cast<std::uint64_t>(digit - '0');
    return number;
}

// Of all steps; empty unless each has one of its own.
std::vector<std::uint64_t> numbersOfSteps(const Trace& trace, const StepTimes& times) {
    std::vector<std::uint64_t> numbers;
    for (const StepTime& step : times.steps) {
        const auto number = step.event ? numberAtEnd(trace.nameOf(step.event)) : std::nullopt;
        if (!number)
            return {};
        numbers.push_back(*number);
    }
    const std::set<std::uint64_t> distinct(numbers.begin(), numbers.end());
    return distinct.size() == numbers.size() ? numbers : std::vector<std::uint64_t>{};
}

// Lines by number, those whose number occurs once.
std::map<std::uint64_t, std::size_t> linesByNumber(const std::vector<LoggedStep>& log) {
    std::map<std::uint64_t, std::size_t> lines;
    std::set<std::uint64_t> twice;
    for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i].number && !lines.emplace(*log[i].number, i).second)
            twice.insert(*log[i].number);
    for (const std::uint64_t number : twice)
        lines.erase(number);
    return lines;
}

std::string percentText(double share) {
    constexpr double kTenths = 1000;
    const auto tenths = std::llround(std::fabs(share) * kTenths);
    return (share < 0 ? "\u2212" : "+") + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) +
           " %";
}

std::string logText(const OutsideStep& outside) {
    std::string text = ", the mean of " +
                       std::to_string(outside.lines - (outside.warmUpsIncluded ? 0 : outside.warmUps)) +
                       " logged steps";
    if (outside.warmUps != 0)
        text += " (" + std::to_string(outside.warmUps) + " warm-up " +
                (outside.warmUpsIncluded ? "included, as set)"
                                         : "excluded of " + std::to_string(outside.lines) + ")");
    return text;
}

} // namespace

std::optional<OutsideStep> outsideStep(const AnalysisSettings& settings) {
    OutsideStep outside;
    if (settings.outsideNs) {
        outside.meanNs = *settings.outsideNs;
        return outside;
    }
    if (settings.outsideLog.empty())
        return std::nullopt;
    std::vector<std::int64_t> times;
    for (const LoggedStep& step : settings.outsideLog)
        times.push_back(step.ns);
    outside.isFromLog = true;
    outside.lines = times.size();
    outside.warmUps = countWarmUps(times, settings.thresholds[Threshold::WarmUpFactor]);
    outside.warmUpsIncluded = settings.includeWarmUp;
    if (!outside.warmUpsIncluded)
        times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(outside.warmUps));
    outside.meanNs = sampleStatistics(std::move(times)).mean;
    return outside;
}

LoggedMatch matchLog(const Trace& trace, const StepTimes& times, const AnalysisSettings& settings) {
    LoggedMatch match;
    match.lineOfStep.resize(times.steps.size());
    const std::vector<std::uint64_t> numbers = numbersOfSteps(trace, times);
    const auto lines = linesByNumber(settings.outsideLog);
    if (!numbers.empty() && !lines.empty()) {
        match.by = LoggedMatch::By::Number;
        for (std::size_t k = 0; k < numbers.size(); ++k)
            if (const auto line = lines.find(numbers[k]); line != lines.end())
                match.lineOfStep[k] = line->second;
    } else if (settings.outsideLog.size() == times.steps.size() && !times.steps.empty()) {
        match.by = LoggedMatch::By::Order;
        for (std::size_t k = 0; k < times.steps.size(); ++k)
            match.lineOfStep[k] = k;
    }
    match.matched = static_cast<std::size_t>(
        std::ranges::count_if(match.lineOfStep, [](const auto& line) { return line.has_value(); }));
    return match;
}

std::vector<std::string> outsideSentences(const Trace& trace, const StepTimes& times,
                                          const AnalysisSettings& settings) {
    const auto outside = outsideStep(settings);
    if (!outside || times.measured().empty())
        return {};
    std::vector<std::int64_t> durations;
    for (const StepTime& step : times.measured())
        durations.push_back(step.range.length().v);
    const double mean = sampleStatistics(std::move(durations)).mean;
    std::vector<std::string> sentences{
        "Outside measurement: " + formatDuration({std::llround(outside->meanNs)}) +
        (outside->isFromLog ? logText(*outside) : std::string()) + "; the capture adds " +
        percentText(mean / outside->meanNs - 1) + "." +
        (outside->isFromLog ? "" : " Mean only: its spread is not known.")};
    if (settings.outsideLog.empty())
        return sentences;
    const LoggedMatch match = matchLog(trace, times, settings);
    const std::string counts = std::to_string(match.matched) + " of " + std::to_string(times.steps.size()) +
                               " " + times.meaning + "s of the trace";
    if (match.by == LoggedMatch::By::Number)
        sentences.push_back("Logged steps are matched by number: " + counts + ".");
    else if (match.by == LoggedMatch::By::Order)
        sentences.emplace_back(
            "Logged steps are matched by their order, since there are as many as in the trace.");
    else
        sentences.push_back(
            "Which of the " + std::to_string(settings.outsideLog.size()) +
            " logged steps is which of the trace is not known: not by number, and there are not "
            "as many.");
    return sentences;
}

} // namespace lacuna
