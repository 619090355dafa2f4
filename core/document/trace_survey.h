#pragma once
// What stretches of time a file has to choose from, before its rows are read: a pass over the whole file that
// keeps its ranges alone.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/import/load_options.h"
#include "core/trace/row_choice.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lacuna {

struct SurveyedStep {
    std::string name;
    FileStretch stretch;
};

struct TraceSurvey {
    FileStretch whole;               // from the first begin to the last end of rows with a length
    std::vector<SurveyedStep> steps; // in time order (core/analysis/steps.h); empty: none found
};

// Takes as long as a load, without its memory. Errors: those of a load; Malformed where no row has a length.
Result<TraceSurvey> surveyTrace(const std::filesystem::path& file, JobControl& job,
                                const LoadOptions& options);

} // namespace lacuna
