#pragma once
// What stands behind a row of a report, so that every figure can be opened: one row of the trace, all rows of
// a name, or a time.

#include "core/report/report.h"

#include <optional>
#include <vector>

namespace lacuna {

struct ReportEvidence {
    EventId event; // none unless the row is about one
    StringId name; // of the trace; with kinds: the row is about all rows of that name and these kinds
    KindMask kinds = 0;
    std::optional<TimeRange> time; // of rows that tell start and duration (or end) and neither of the above
    bool isEmpty() const { return !event && kinds == 0 && !time; }
};

// O(columns).
ReportEvidence evidenceOf(const ReportTable& table, std::size_t row);

// The rows of the trace behind it, by start, as far as the options select them (of a time: none). None when
// the job was cancelled. O(events) for a name.
std::optional<std::vector<EventId>> instancesOf(const ReportInput& input, const ReportEvidence& evidence,
                                                JobControl& job);

} // namespace lacuna
