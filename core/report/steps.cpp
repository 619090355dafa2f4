// steps: one row per step; the notes have the statistics without warm-up.

#include "core/analysis/outside_step.h"
#include "core/analysis/step_times.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/report_settings.h"
#include "core/report/selected_devices.h"
#include "core/report/step_values.h"

#include <array>
#include <utility>
#include <vector>

namespace lacuna::reports {

namespace {

void addPhase(ReportTable::Row& row, const StepTime& step, PhaseKind phase) {
    if (const auto ns = step.phaseNs[static_cast<std::size_t>(phase)])
        row.ns(*ns);
    else
        row.empty();
}

// What the run without a profiler printed of this step: its time, how much longer the trace has it, its loss.
void addLogged(ReportTable::Row& row, const StepTime& step, const LoggedStep* logged) {
    constexpr double kPercent = 100;
    if (logged == nullptr) {
        row.empty().empty().empty();
        return;
    }
    row.ns(logged->ns)
        .decimal(kPercent *
                 (static_cast<double>(step.range.length().v) / static_cast<double>(logged->ns) - 1));
    if (logged->loss)
        row.decimal(*logged->loss);
    else
        row.empty();
}

void addStep(ReportTable& table, const Trace& trace, const StepTimes& times, std::size_t k,
             const AnalysisSettings& settings, const LoggedMatch& match) {
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
    if (!settings.outsideLog.empty())
        addLogged(row, step, match.lineOfStep[k] ? &settings.outsideLog[*match.lineOfStep[k]] : nullptr);
}

} // namespace

Result<ReportTable> steps(const ReportInput& input, JobControl& job) {
    const AnalysisSettings settings = settingsOf(input);
    const auto times = stepTimes(input.trace, selectedDevices(input), settings, job);
    if (!times)
        return times.error();
    std::vector<ReportColumn> columns{textColumn("Step"),
                                      nsColumn("Start (ns)"),
                                      nsColumn("Duration (ns)"),
                                      nsColumn("Period (ns)"),
                                      nsColumn("GPU Busy (ns)"),
                                      nsColumn("GPU Idle (ns)"),
                                      nsColumn("Data Loading (ns)"),
                                      nsColumn("Iteration (ns)"),
                                      nsColumn("Forward (ns)"),
                                      nsColumn("Backward (ns)"),
                                      nsColumn("Optimizer (ns)"),
                                      integerColumn("GPU Operations"),
                                      decimalColumn("Samples/s", 2),
                                      textColumn("Mark")};
    if (!settings.outsideLog.empty())
        for (ReportColumn& column :
             std::array{nsColumn("Logged (ns)"), decimalColumn("Added (%)", 1), decimalColumn("Loss", 6)})
            columns.push_back(std::move(column));
    ReportTable table(std::move(columns));
    const LoggedMatch match = matchLog(input.trace, *times, settings);
    for (std::size_t k = 0; k < times->steps.size(); ++k) {
        const TimeRange range = times->steps[k].range;
        if (!input.options.range || overlaps(*input.options.range, range.begin.v, range.end.v))
            addStep(table, input.trace, *times, k, settings, match);
    }
    for (std::string& note : stepNotes(input.trace, *times, settings, job))
        table.addNote(std::move(note));
    if (job.cancelled())
        return cancelledError();
    return table;
}

} // namespace lacuna::reports
