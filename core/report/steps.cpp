// steps: one row per step; the notes have the statistics without warm-up.

#include "core/analysis/step_times.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/report_settings.h"
#include "core/report/selected_devices.h"
#include "core/report/step_values.h"

namespace lacuna::reports {

namespace {

void addPhase(ReportTable::Row& row, const StepTime& step, PhaseKind phase) {
    if (const auto ns = step.phaseNs[static_cast<std::size_t>(phase)])
        row.ns(*ns);
    else
        row.empty();
}

void addStep(ReportTable& table, const Trace& trace, const StepTimes& times, std::size_t k,
             const AnalysisSettings& settings) {
    constexpr double kNsPerSecond = 1e9;
    const StepTime& step = times.steps[k];
    ReportTable::Row row = table.addRow();
    if (step.event)
        row.about(step.event);
    row.text(stepTitle(trace, times, k)).ns(step.range.begin.v).ns(step.range.length().v);
    if (k + 1 < times.steps.size())
        row.ns((times.steps[k + 1].range.begin - step.range.begin).v);
    else
        row.empty();
    row.ns(step.busyNs).ns(step.idleNs());
    if (step.dataNs)
        row.ns(*step.dataNs);
    else
        row.empty();
    row.ns(step.iterationNs);
    for (const PhaseKind phase : {PhaseKind::Forward, PhaseKind::Backward, PhaseKind::Optimizer})
        addPhase(row, step, phase);
    row.integer(static_cast<std::int64_t>(step.deviceOps));
    if (settings.samplesPerStep && step.iterationNs > 0)
        row.decimal(*settings.samplesPerStep * kNsPerSecond / static_cast<double>(step.iterationNs));
    else
        row.empty();
    row.text(step.isWarmUp ? "warm-up" : step.isUnusual ? "unusual" : "");
}

} // namespace

Result<ReportTable> steps(const ReportInput& input, JobControl& job) {
    const AnalysisSettings settings = settingsOf(input);
    const auto times = stepTimes(input.trace, selectedDevices(input), settings, job);
    if (!times)
        return times.error();
    ReportTable table({textColumn("Step"), nsColumn("Start (ns)"), nsColumn("Duration (ns)"),
                       nsColumn("Period (ns)"), nsColumn("GPU Busy (ns)"), nsColumn("GPU Idle (ns)"),
                       nsColumn("Data Loading (ns)"), nsColumn("Iteration (ns)"), nsColumn("Forward (ns)"),
                       nsColumn("Backward (ns)"), nsColumn("Optimizer (ns)"), integerColumn("GPU Operations"),
                       decimalColumn("Samples/s", 2), textColumn("Mark")});
    for (std::size_t k = 0; k < times->steps.size(); ++k) {
        const TimeRange range = times->steps[k].range;
        if (!input.options.range || overlaps(*input.options.range, range.begin.v, range.end.v))
            addStep(table, input.trace, *times, k, settings);
    }
    for (std::string& note : stepNotes(input.trace, *times, settings, job))
        table.addNote(std::move(note));
    if (job.cancelled())
        return cancelledError();
    return table;
}

} // namespace lacuna::reports
