#pragma once
// torch.profiler.schedule(): which steps wait, warm the profiler up, are recorded, or lie outside. The
// profiler's warm-up is not that of the application: a schedule says nothing about the latter.

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct ProfilerSchedule {
    std::uint32_t skipFirst = 0, wait = 0, warmUp = 0, active = 1;
    std::uint32_t repeat = 0; // 0: until collection ends
    std::uint32_t cycle() const { return wait + warmUp + active; }
    friend bool operator==(const ProfilerSchedule&, const ProfilerSchedule&) = default;
};

enum class ScheduleState : std::uint8_t { Skipped, Wait, WarmUp, Active, Outside };
const char* scheduleTitle(ScheduleState state); // "wait", "warm-up", "active", "outside the schedule"

// "wait=2,warmup=2,active=5,repeat=1,skip_first=0", in any order; what is not named is 0 but active, which
// must be named and above 0. Numbers up to 1,000,000. Error: Unsupported with a detail for people.
Result<ProfilerSchedule> parseSchedule(std::string_view text);
std::string scheduleText(const ProfilerSchedule& schedule);

ScheduleState scheduleState(const ProfilerSchedule& schedule, std::uint64_t step);
// The last active step of a cycle requests that the profiler saves what it has.
bool savesAfter(const ProfilerSchedule& schedule, std::uint64_t step);

struct ScheduleRun {
    ScheduleState state = ScheduleState::Wait;
    std::uint64_t first = 0, last = 0; // both included
    friend bool operator==(const ScheduleRun&, const ScheduleRun&) = default;
};
// Steps 0 ... steps - 1 as runs of equal state. O(runs).
std::vector<ScheduleRun> scheduleRuns(const ProfilerSchedule& schedule, std::uint64_t steps);
// "0-1 wait, 2-3 warm-up, 4-8 active, 9-29 outside the schedule", with en dashes.
std::string scheduleSentence(const ProfilerSchedule& schedule, std::uint64_t steps);
// For people, under the strip: what saving, repeat and warm-up mean.
std::string scheduleExplanation(const ProfilerSchedule& schedule);

} // namespace lacuna
