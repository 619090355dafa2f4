#pragma once
// What the reports under the names of Holistic Trace Analysis share.

#include "core/analysis/distribution.h"
#include "core/analysis/hta.h"
#include "core/report/report.h"

namespace lacuna {

inline HtaOptions htaOptionsOf(const ReportInput& input) {
    HtaOptions options =
        input.options.definition == ReportDefinition::Hta ? HtaOptions::hta() : HtaOptions::exact();
    options.device = input.options.device;
    options.range = input.options.range;
    return options;
}

// part of whole in percent; empty where there is no whole.
inline void addHtaShare(ReportTable::Row& row, std::int64_t part, std::int64_t whole) {
    if (whole == 0)
        row.empty();
    else
        row.decimal(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// whenEmpty, or what HTA's definition means.
inline void addHtaNote(ReportTable& table, const ReportInput& input, const char* whenEmpty) {
    if (table.rows() == 0)
        table.addNote(whenEmpty);
    else if (input.options.definition == ReportDefinition::Hta)
        table.addNote(
            "As Holistic Trace Analysis: rows shrunk to whole us, the last of several ProfilerSteps and "
            "operations without a recorded call left out, synchronisation rows counted.");
}

// "Mean", "Std", "Min", "25%", "50%", "75%", "Max", each with the unit behind it.
inline void addDistributionColumns(std::vector<ReportColumn>& columns, const std::string& unit,
                                   unsigned decimals) {
    for (const char* name : {"Mean", "Std", "Min", "25%", "50%", "75%", "Max"})
        columns.push_back(decimalColumn(name + unit, decimals));
}
inline void addDistribution(ReportTable::Row& row, const Distribution& d) {
    for (const double value : {d.mean, d.deviation, d.min, d.lowerQuartile, d.median, d.upperQuartile, d.max})
        row.decimal(value); // empty where there is none
}

} // namespace lacuna
