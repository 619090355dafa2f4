#pragma once
// What belongs to a row of a report, for reports whose rows are sums over a rule of their own. Each function
// finds the rows of the trace again by what the row says (its name, its stream ...): nothing is kept for the
// many rows that nobody opens. As much work as the report itself.

#include "core/report/report_rows.h"

#include <string>
#include <string_view>
#include <vector>

namespace lacuna::evidence {

struct Asked {
    const ReportInput& input;
    const ReportTable& table;
    std::size_t row = 0;
    JobControl& job;

    // Of a column that the report has; "" and none for an empty cell.
    std::string_view text(std::string_view column) const {
        return table.text(row, *table.findColumn(column));
    }
    std::optional<std::int64_t> number(std::string_view column) const {
        const std::size_t at = *table.findColumn(column);
        return table.isEmpty(row, at) ? std::nullopt : std::optional(table.number(row, at));
    }
};
// In any order. Errors: Cancelled, and those of reading the source again.
using Found = Result<std::vector<EventId>>;
using Function = Found(const Asked&);

// Operations of the device (evidence_device.cpp).
Function copies, kernelsByShape, kernelShapes, memorySizes, kernelExecutions, kernelExposure, launches,
    overlap, limiters, collectives, streams, windows;
// Ranges and what was launched in them (evidence_ranges.cpp).
Function rangeSums, pushPopSums, startEndSums, kernelsByRange, projections, phases;
// Under the names of Holistic Trace Analysis (evidence_hta.cpp).
Function htaAllRows, htaCommunication, htaTypes, htaNames, htaHostRanges, htaDeviceRanges, htaIdleGaps,
    htaQueued, htaCopies, htaStepMarks;
// Beside the report, with which it shares how rows are counted (key_averages.cpp).
Function averages;
// Of whole analyses (evidence_analyses.cpp).
Function idle, criticalPath, whatIf, threads, stepStatistics, stepHistogram, schedule;

// What `is` says yes to, of the rows of some kinds that the options select.
template <class Is> Found rowsThat(const Asked& asked, KindMask kinds, const Is& is) {
    std::vector<EventId> found;
    if (!forEachRow(asked.input, kinds, asked.job, [&](EventId e, const Lane& lane) {
            if (is(e, lane))
                found.push_back(e);
        }))
        return cancelledError();
    return found;
}

// Ordinal of the lane's device; -1 where it has none.
inline std::int64_t ordinalOfLane(const Trace& trace, const Lane& lane) {
    return lane.device ? trace.devices()[lane.device.v].ordinal : -1;
}

} // namespace lacuna::evidence
