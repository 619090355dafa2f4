#pragma once
// Numbers of PyTorch's own step marks: which steps of the program the profiler recorded.

#include "core/analysis/profiler_schedule.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace lacuna {

struct StepMarks {
    std::uint64_t first = 0, last = 0;  // of "ProfilerStep#N"
    std::vector<std::uint64_t> numbers; // ascending, each once
};

// None where there are no such marks. O(rows of step marks).
std::optional<StepMarks> stepMarks(const Trace& trace);
// "Recorded: steps 3 to 6. 3 steps before them waited, warmed up or were skipped."
std::string marksSentence(const StepMarks& marks);
// Recorded steps as Active, those before and between as Wait.
std::vector<ScheduleRun> runsByMarks(const StepMarks& marks);
// Every recorded step is active in the schedule.
bool agrees(const ProfilerSchedule& schedule, const StepMarks& marks);

} // namespace lacuna
