// schedule: which steps the profiler waited, warmed up and recorded, by the schedule that the user names; and
// candidate_steps: repeats that may be steps.

#include "core/analysis/candidate_steps.h"
#include "core/analysis/profiler_schedule.h"
#include "core/analysis/step_marks.h"
#include "core/report/builtin.h"
#include "core/report/report_settings.h"

namespace lacuna::reports {

Result<ReportTable> schedule(const ReportInput& input, JobControl& job) {
    ReportTable table({integerColumn("First Step"), integerColumn("Last Step"), textColumn("State")});
    const AnalysisSettings settings = settingsOf(input);
    const auto marks = stepMarks(input.trace);
    if (job.cancelled())
        return cancelledError();
    if (marks)
        table.addNote(marksSentence(*marks));
    if (settings.schedule.empty()) {
        table.addNote("The trace does not record the schedule: --set "
                      "schedule=wait=1,warmup=1,active=3,repeat=1 tells it.");
        if (marks)
            for (const ScheduleRun& run : runsByMarks(*marks))
                table.addRow()
                    .integer(static_cast<std::int64_t>(run.first))
                    .integer(static_cast<std::int64_t>(run.last))
                    .text(run.state == ScheduleState::Active ? "recorded" : "not recorded");
        return table;
    }
    const auto told = parseSchedule(settings.schedule);
    if (!told)
        return told.error();
    // Up to the last recorded step; one cycle where no step is numbered.
    const std::uint64_t steps = marks ? marks->last + 1 : std::uint64_t{told->skipFirst} + told->cycle();
    for (const ScheduleRun& run : scheduleRuns(*told, steps))
        table.addRow()
            .integer(static_cast<std::int64_t>(run.first))
            .integer(static_cast<std::int64_t>(run.last))
            .text(scheduleTitle(run.state));
    table.addNote(scheduleExplanation(*told));
    if (marks && !agrees(*told, *marks))
        table.addNote("The recorded steps are not the active ones of this schedule.");
    return table;
}

Result<ReportTable> candidateSteps(const ReportInput& input, JobControl& job) {
    const auto candidates = findCandidateSteps(input.trace, settingsOf(input).thresholds, job);
    if (!candidates)
        return candidates.error();
    ReportTable table({integerColumn("Candidate"), integerColumn("Repeats"), integerColumn("Alike"),
                       integerColumn("Operations"), nsColumn("Median (ns)"), nsColumn("Start (ns)"),
                       nsColumn("End (ns)"), textColumn("Begun By")});
    for (std::size_t c = 0; c < candidates->size(); ++c) {
        const CandidateSteps& one = (*candidates)[c];
        if (input.options.range &&
            intersection(*input.options.range, {one.ranges.front().begin, one.ranges.back().end}).isEmpty())
            continue;
        table.addRow()
            .integer(static_cast<std::int64_t>(c + 1))
            .integer(static_cast<std::int64_t>(one.ranges.size()))
            .integer(static_cast<std::int64_t>(one.alike))
            .integer(static_cast<std::int64_t>(one.operations))
            .ns(one.medianNs)
            .ns(one.ranges.front().begin.v)
            .ns(one.ranges.back().end.v)
            .text(input.trace.strings().view(one.anchor));
    }
    table.addNote(candidates->empty()
                      ? "Nothing repeats in the order of the device operations."
                      : "Candidate steps (unconfirmed): a repeat may be a step, a microbatch, a token or an "
                        "inner loop. --set steps.pattern=step:1 confirms that the first is a step.");
    return table;
}

} // namespace lacuna::reports
