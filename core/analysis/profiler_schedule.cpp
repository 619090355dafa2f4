#include "core/analysis/profiler_schedule.h"

#include "core/settings/number_text.h"

#include <algorithm>
#include <cmath>

namespace lacuna {

namespace {

constexpr double kMostSteps = 1'000'000;
constexpr std::size_t kMostRuns = 4'096; // of a strip: no screen shows more

Error notASchedule(std::string_view what) {
    return {Errc::Unsupported,
            "'" + std::string(what) +
                "' is no part of a schedule; it reads wait=2,warmup=2,active=5,repeat=1",
            {},
            {}};
}

std::uint32_t* partOf(ProfilerSchedule& schedule, std::string_view name) {
    if (name == "skip_first")
        return &schedule.skipFirst;
    if (name == "wait")
        return &schedule.wait;
    if (name == "warmup")
        return &schedule.warmUp;
    if (name == "active")
        return &schedule.active;
    return name == "repeat" ? &schedule.repeat : nullptr;
}

std::uint64_t endOf(const ProfilerSchedule& schedule) {
    return schedule.repeat == 0
               ? UINT64_MAX
               : schedule.skipFirst + std::uint64_t{schedule.cycle()} * std::uint64_t{schedule.repeat};
}

} // namespace

const char* scheduleTitle(ScheduleState state) {
    switch (state) {
    case ScheduleState::Skipped:
        return "skipped";
    case ScheduleState::Wait:
        return "wait";
    case ScheduleState::WarmUp:
        return "warm-up";
    case ScheduleState::Active:
        return "active";
    case ScheduleState::Outside:
        break;
    }
    return "outside the schedule";
}

Result<ProfilerSchedule> parseSchedule(std::string_view text) {
    ProfilerSchedule schedule;
    schedule.active = 0;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view part = trimmed(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos)
            return notASchedule(part);
        std::uint32_t* const into = partOf(schedule, trimmed(part.substr(0, equals)));
        const auto number = parseNumber(trimmed(part.substr(equals + 1)));
        if (into == nullptr || !number || *number < 0 || *number > kMostSteps ||
            *number != std::floor(*number))
            return notASchedule(part);
        *into = static_cast<std::uint32_t>(*number);
    }
    if (schedule.active == 0)
        return Error{Errc::Unsupported, "a schedule needs active=N with N above 0", {}, {}};
    return schedule;
}

std::string scheduleText(const ProfilerSchedule& schedule) {
    std::string text =
        "wait=" + std::to_string(schedule.wait) + ",warmup=" + std::to_string(schedule.warmUp) +
        ",active=" + std::to_string(schedule.active) + ",repeat=" + std::to_string(schedule.repeat);
    if (schedule.skipFirst != 0)
        text += ",skip_first=" + std::to_string(schedule.skipFirst);
    return text;
}

ScheduleState scheduleState(const ProfilerSchedule& schedule, std::uint64_t step) {
    if (step < schedule.skipFirst)
        return ScheduleState::Skipped;
    if (step >= endOf(schedule))
        return ScheduleState::Outside;
    const std::uint64_t place = (step - schedule.skipFirst) % schedule.cycle();
    if (place < schedule.wait)
        return ScheduleState::Wait;
    return place < std::uint64_t{schedule.wait} + schedule.warmUp ? ScheduleState::WarmUp
                                                                  : ScheduleState::Active;
}

bool savesAfter(const ProfilerSchedule& schedule, std::uint64_t step) {
    return scheduleState(schedule, step) == ScheduleState::Active &&
           (step - schedule.skipFirst + 1) % schedule.cycle() == 0;
}

std::vector<ScheduleRun> scheduleRuns(const ProfilerSchedule& schedule, std::uint64_t steps) {
    std::vector<ScheduleRun> runs;
    for (std::uint64_t step = 0; step < steps && runs.size() < kMostRuns;) {
        const ScheduleState state = scheduleState(schedule, step);
        std::uint64_t end = steps; // of the run
        if (state == ScheduleState::Skipped) {
            end = schedule.skipFirst;
        } else if (state != ScheduleState::Outside) {
            const std::uint64_t begin = step - (step - schedule.skipFirst) % schedule.cycle();
            end = begin + schedule.wait;
            if (state != ScheduleState::Wait)
                end += schedule.warmUp;
            if (state == ScheduleState::Active)
                end += schedule.active;
        }
        end = std::min(end, steps);
        if (!runs.empty() && runs.back().state == state) // no wait, no warm-up: cycles touch
            runs.back().last = end - 1;
        else
            runs.push_back({state, step, end - 1});
        step = end;
    }
    return runs;
}

std::string scheduleSentence(const ProfilerSchedule& schedule, std::uint64_t steps) {
    std::string text;
    for (const ScheduleRun& run : scheduleRuns(schedule, steps)) {
        text += text.empty() ? "" : ", ";
        text += std::to_string(run.first);
        if (run.last != run.first)
            text += "\u2013" + std::to_string(run.last);
        text += std::string(" ") + scheduleTitle(run.state);
    }
    return text;
}

std::string scheduleExplanation(const ProfilerSchedule& schedule) {
    std::string text = schedule.repeat == 0 ? "repeat 0: repeats until collection ends. "
                                            : "After " + std::to_string(schedule.repeat) +
                                                  (schedule.repeat == 1 ? " cycle" : " cycles") +
                                                  " steps lie outside the schedule. ";
    return text + "The last active step of a cycle asks for saving. The profiler's warm-up is not the "
                  "application's: neither implies the other.";
}

} // namespace lacuna
