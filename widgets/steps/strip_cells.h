#pragma once
// What the strip above the lanes shows, without pixels: the profiler's schedule by number of step, and the
// steps that are measured, left out or only candidates by time.

#include "core/analysis/profiler_schedule.h"
#include "widgets/steps/step_study.h"

#include <QString>

#include <optional>
#include <vector>

namespace lacuna::ui {

struct ScheduleCell {
    // Unknown: recorded or not, as the marks tell, where nobody told the schedule.
    enum class State : std::uint8_t { Skipped, Wait, WarmUp, Active, Outside, Recorded, NotRecorded };
    State state = State::Wait;
    std::uint64_t first = 0, last = 0;      // both included
    bool isOpenEnd = false;                 // `last` is not the last: it goes on
    std::vector<std::uint64_t> warmUpMarks; // steps of it that the application warms up in, as measured
    std::optional<std::size_t> step;        // the first of StepTimes that is in it
    QString label, tip;
    friend bool operator==(const ScheduleCell&, const ScheduleCell&) = default;
};

// Empty where there is nothing to say: no marks and no schedule, or all steps from 0 on are recorded.
std::vector<ScheduleCell> scheduleCells(const StepFacts& facts);

struct StepCell {
    enum class State : std::uint8_t { StartUp, WarmUp, Measured, Unusual, Candidate };
    State state = State::Measured;
    TimeRange range;
    std::size_t number = 0; // of StepTimes, or of the candidate's repeats; 0 for the start-up
    friend bool operator==(const StepCell&, const StepCell&) = default;
};

// The start-up first, then steps by time; of a trace without steps the repeats of the first candidate.
std::vector<StepCell> stepCells(const StepFacts& facts);
QString stepLabel(const StepFacts& facts, const StepCell& cell); // for as much as fits
QString stepTip(const StepFacts& facts, const StepCell& cell);   // lines of plain text

// "120 similar spans of 18.0 ms were found. They may be steps, micro-batches or tokens. What are they?"
QString candidateQuestion(const StepFacts& facts, std::size_t candidate);

} // namespace lacuna::ui
