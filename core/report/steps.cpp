// steps: one row per step; the note has the statistics without warm-up.

#include "core/analysis/step_times.h"
#include "core/base/text_format.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/selected_devices.h"
#include "core/report/statistics.h"

#include <cmath>
#include <string>

namespace lacuna::reports {

namespace {

std::string statisticsSentence(const StepTimes& times) {
    std::vector<std::int64_t> durations;
    durations.reserve(times.measured().size());
    for (const StepTime& step : times.measured())
        durations.push_back(step.range.length().v);
    const Statistics values = statisticsOf(durations);
    const auto duration = [](double ns) {
        return formatDuration({static_cast<std::int64_t>(std::llround(ns))});
    };
    const std::size_t all = times.steps.size();
    std::string text = std::to_string(all) + (all == 1 ? " step" : " steps") + " by " + times.source + "; ";
    if (times.warmUps != 0)
        text += std::to_string(times.warmUps) + " warm-up steps excluded of " + std::to_string(all) + "; ";
    return text + "mean " + duration(static_cast<double>(values.total) / static_cast<double>(values.count)) +
           ", median " + duration(static_cast<double>(values.medianTwice) / 2) + ", standard deviation " +
           duration(values.deviation) + ", min " + duration(static_cast<double>(values.min)) + ", max " +
           duration(static_cast<double>(values.max)) + ".";
}

} // namespace

Result<ReportTable> steps(const ReportInput& input, JobControl& job) {
    const auto times = stepTimes(input.trace, selectedDevices(input), job);
    if (!times)
        return times.error();
    ReportTable table({textColumn("Step"), nsColumn("Start (ns)"), nsColumn("Duration (ns)"),
                       nsColumn("Period (ns)"), nsColumn("GPU Busy (ns)"), nsColumn("GPU Idle (ns)"),
                       nsColumn("Data Loading (ns)"), integerColumn("GPU Operations"), textColumn("Mark")});
    for (std::size_t k = 0; k < times->steps.size(); ++k) {
        const StepTime& step = times->steps[k];
        if (input.options.range && !overlaps(*input.options.range, step.range.begin.v, step.range.end.v))
            continue;
        ReportTable::Row row = table.addRow();
        row.about(step.event)
            .text(input.trace.nameOf(step.event))
            .ns(step.range.begin.v)
            .ns(step.range.length().v);
        if (k + 1 < times->steps.size())
            row.ns((times->steps[k + 1].range.begin - step.range.begin).v);
        else
            row.empty();
        row.ns(step.busyNs)
            .ns(step.range.length().v - step.busyNs)
            .ns(step.dataNs)
            .integer(static_cast<std::int64_t>(step.deviceOps))
            .text(step.isWarmUp    ? "warm-up"
                  : step.isUnusual ? "unusual"
                                   : "");
    }
    table.addNote(times->steps.empty()
                      ? "The trace has no steps: no ProfilerStep marks and no ranges that count."
                      : statisticsSentence(*times));
    return table;
}

} // namespace lacuna::reports
