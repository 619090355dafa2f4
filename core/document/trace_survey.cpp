#include "core/document/trace_survey.h"

#include "core/analysis/steps.h"
#include "core/import/load_trace.h"

namespace lacuna {

Result<TraceSurvey> surveyTrace(const std::filesystem::path& file, JobControl& job,
                                const LoadOptions& options) {
    RowChoice ranges = RowChoice::rangesOnly();
    LoadOptions asked = options;
    asked.choice = &ranges;
    asked.onSnapshot = nullptr;
    const auto loaded = loadTrace(file, builtinImporters(), job, asked);
    TraceSurvey survey;
    survey.whole = {ranges.firstNs(), ranges.lastNs()};
    const bool hasRows = survey.whole.beginNs < survey.whole.endNs;
    if (!loaded && (job.cancelled() || loaded.error().code == Errc::Cancelled || !hasRows))
        return loaded.error();
    if (!hasRows)
        return Error{Errc::Malformed, "No row of this file has a length.", {}, {}};
    if (!loaded) // it has rows, but no ranges
        return survey;
    const Trace& trace = *loaded->trace;
    for (const EventId step : findSteps(trace, job).events) {
        const TimeRange range = trace.events().range(step);
        survey.steps.push_back({std::string(trace.nameOf(step)),
                                {trace.fileZeroNs() + range.begin.v, trace.fileZeroNs() + range.end.v}});
    }
    if (job.cancelled())
        return cancelledError();
    return survey;
}

} // namespace lacuna
