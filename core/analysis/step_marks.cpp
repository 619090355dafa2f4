#include "core/analysis/step_marks.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <string_view>

namespace lacuna {

namespace {

std::optional<std::uint64_t> numberOfMark(std::string_view name) {
    constexpr std::string_view kMark = "ProfilerStep";
    constexpr std::size_t kMostDigits = 9;
    if (!name.starts_with(kMark))
        return std::nullopt;
    name.remove_prefix(kMark.size());
    while (!name.empty() && (name.front() == ' ' || name.front() == '#'))
        name.remove_prefix(1);
    if (name.empty() || name.size() > kMostDigits || !std::all_of(name.begin(), name.end(), isDigit))
        return std::nullopt;
    std::uint64_t number = 0;
    for (const char c : name)
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
    return number;
}

} // namespace

std::optional<StepMarks> stepMarks(const Trace& trace) {
    StepMarks marks;
    for (const Strip& strip : trace.strips()) {
        const LaneKind kind = trace.lane(strip.lane).kind;
        if (kind != LaneKind::Steps && kind != LaneKind::Range)
            continue;
        for (EventId e = strip.first; e < strip.last; ++e.v)
            if (const auto number = numberOfMark(trace.nameOf(e)))
                marks.numbers.push_back(*number);
    }
    if (marks.numbers.empty())
        return std::nullopt;
    std::sort(marks.numbers.begin(), marks.numbers.end());
    marks.numbers.erase(std::unique(marks.numbers.begin(), marks.numbers.end()), marks.numbers.end());
    marks.first = marks.numbers.front();
    marks.last = marks.numbers.back();
    return marks;
}

std::string marksSentence(const StepMarks& marks) {
    std::string text = "Recorded: " + std::string(marks.first == marks.last ? "step " : "steps ") +
                       std::to_string(marks.first);
    if (marks.first != marks.last)
        text += " to " + std::to_string(marks.last);
    if (marks.numbers.size() != marks.last - marks.first + 1)
        text += ", " + std::to_string(marks.numbers.size()) + " of them";
    text += ".";
    if (marks.first != 0)
        text += " " + std::to_string(marks.first) + (marks.first == 1 ? " step" : " steps") +
                " before waited, warmed the profiler up or were skipped.";
    return text;
}

std::vector<ScheduleRun> runsByMarks(const StepMarks& marks) {
    std::vector<ScheduleRun> runs;
    std::uint64_t next = 0;
    for (const std::uint64_t number : marks.numbers) {
        if (number > next)
            runs.push_back({ScheduleState::Wait, next, number - 1});
        if (!runs.empty() && runs.back().state == ScheduleState::Active && runs.back().last + 1 == number)
            runs.back().last = number;
        else
            runs.push_back({ScheduleState::Active, number, number});
        next = number + 1;
    }
    return runs;
}

bool agrees(const ProfilerSchedule& schedule, const StepMarks& marks) {
    return std::all_of(marks.numbers.begin(), marks.numbers.end(), [&](std::uint64_t number) {
        return scheduleState(schedule, number) == ScheduleState::Active;
    });
}

} // namespace lacuna
