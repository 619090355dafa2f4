// step_stats: statistics of every quantity of the measured steps, in two definitions of median and p95.

#include "core/analysis/duration_pattern.h"
#include "core/analysis/sample_statistics.h"
#include "core/report/builtin.h"
#include "core/report/report_settings.h"
#include "core/report/selected_devices.h"
#include "core/report/step_values.h"

namespace lacuna::reports {

namespace {

// "1000000 (10); 3000000 (10)": medians in ns and how many.
std::string modesText(const std::vector<DurationMode>& modes) {
    std::string text;
    for (const DurationMode& mode : modes)
        text += (text.empty() ? "" : "; ") + std::to_string(mode.medianNs) + " (" +
                std::to_string(mode.count) + ")";
    return text;
}

void addQuantity(ReportTable& table, const StepQuantity& quantity, const AnalysisSettings& settings) {
    for (const QuantileDefinition definition : {QuantileDefinition::Usual, QuantileDefinition::Benchmark}) {
        const SampleStatistics values = sampleStatistics(quantity.values, definition);
        const Drift drift = driftOf(quantity.values);
        const bool isDrift = drift.fit >= settings.thresholds[Threshold::DriftFit];
        const auto outliers = outliersOf(quantity.values, settings.thresholds[Threshold::UnusualFactor]);
        ReportTable::Row row = table.addRow();
        row.text(quantity.title)
            .text(definition == QuantileDefinition::Usual ? "usual" : "benchmark")
            .integer(static_cast<std::int64_t>(values.count))
            .decimal(values.mean)
            .decimal(values.median)
            .decimal(values.p95)
            .decimal(values.deviation)
            .ns(values.min)
            .ns(values.max)
            .integer(static_cast<std::int64_t>(outliers.size()))
            .text(modesText(durationModes(quantity.values, settings.thresholds[Threshold::ModeShare])));
        if (isDrift)
            row.decimal(drift.change() * 100);
        else
            row.empty();
    }
}

} // namespace

Result<ReportTable> stepStats(const ReportInput& input, JobControl& job) {
    const AnalysisSettings settings = settingsOf(input);
    auto times = stepTimes(input.trace, selectedDevices(input), settings, job);
    if (!times)
        return times.error();
    if (input.options.range)
        keepStepsOf(*times, *input.options.range);
    ReportTable table({textColumn("Quantity"), textColumn("Definition"), integerColumn("Count"),
                       decimalColumn("Mean (ns)", 1), decimalColumn("Median (ns)", 1),
                       decimalColumn("P95 (ns)", 1), decimalColumn("StdDev (ns)", 1), nsColumn("Min (ns)"),
                       nsColumn("Max (ns)"), integerColumn("Outliers"), textColumn("Modes (ns)"),
                       decimalColumn("Drift (%)", 1)});
    for (const StepQuantity& quantity : stepQuantities(*times))
        addQuantity(table, quantity, settings);
    for (std::string& note : stepNotes(input.trace, *times, settings, job))
        table.addNote(std::move(note));
    table.addNote(std::string("Usual: ") + quantileTitle(QuantileDefinition::Usual) +
                  ". Benchmark: " + quantileTitle(QuantileDefinition::Benchmark) +
                  ". Modes: median and number of values. Drift: "
                  "change of a line through the medians of the first and the last third, where it fits.");
    if (job.cancelled())
        return cancelledError();
    return table;
}

Result<ReportTable> stepHistogram(const ReportInput& input, JobControl& job) {
    const AnalysisSettings settings = settingsOf(input);
    auto times = stepTimes(input.trace, selectedDevices(input), settings, job);
    if (!times)
        return times.error();
    if (input.options.range)
        keepStepsOf(*times, *input.options.range);
    ReportTable table(
        {textColumn("Quantity"), nsColumn("From (ns)"), nsColumn("To (ns)"), integerColumn("Count")});
    for (const StepQuantity& quantity : stepQuantities(*times))
        for (const HistogramBin& bin : histogramOf(quantity.values, kStepBins))
            table.addRow()
                .text(quantity.title)
                .ns(bin.begin)
                .ns(bin.end)
                .integer(static_cast<std::int64_t>(bin.count));
    for (std::string& note : stepNotes(input.trace, *times, settings, job))
        table.addNote(std::move(note));
    return table;
}

} // namespace lacuna::reports
