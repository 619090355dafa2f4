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

// The rows of the trace behind a row of any report, by start: what the row tells itself, else what the
// report's own rule finds again (row_evidence.h); empty where nothing is known of it (settings, prose) or the
// row is a time. As much work as the report itself, so nothing for the thread of the window. Errors:
// Cancelled, and those of reading the source again.
Result<std::vector<EventId>> eventsBehind(std::string_view report, const ReportInput& input,
                                          const ReportTable& table, std::size_t row, JobControl& job);
// Whether eventsBehind() looks by a rule of its own for a row of that report that tells this.
bool hasOwnEvidence(std::string_view report, const ReportEvidence& told = {});

} // namespace lacuna
