#pragma once
// Which parts of a trace count as steps: what the user said, else marks and ranges that count (steps.h).
// A repeated pattern is used only once the user has said what it is.

#include "core/analysis/candidate_steps.h"
#include "core/analysis/steps.h"
#include "core/settings/analysis_settings.h"

#include <string>
#include <vector>

namespace lacuna {

struct StepSpan {
    TimeRange range;
    EventId event; // none for repeats of a pattern
};

struct StepSelection {
    std::string source;          // "ProfilerStep", "NVTX", "annotation", "range", "pattern"; empty: none
    std::string meaning;         // "step", or what the user said a pattern is
    StringId anchor;             // of a pattern
    std::vector<StepSpan> steps; // by begin
    std::string remark;          // why what the user asked for was not found; empty
};

// O(rows of ranges), and that of findCandidateSteps() when a pattern was confirmed. Error: Cancelled.
Result<StepSelection> selectSteps(const Trace& trace, const AnalysisSettings& settings, JobControl& job);

// Ranges of the thread that has most with that name ("#" for every run of digits), outermost ones, in order
// of time.
std::vector<EventId> rangesNamed(const Trace& trace, std::string_view name);

} // namespace lacuna
