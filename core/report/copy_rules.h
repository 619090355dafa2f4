#pragma once
// The vendor's rules about copies and memsets: those that a condition selects, the longest first.
//
// Copies are joined with their calls by process and correlation id. The vendor joins by the id alone, which
// pairs copies of one process with calls of another; that is not offered.

#include "core/report/report_rows.h"

#include <array>
#include <functional>
#include <span>
#include <string>

namespace lacuna {

struct CopyCandidate {
    EventId op;
    std::string_view api; // name of the call, as recorded
    CopyArgs args;
};

using CopyCondition = std::function<bool(const CopyCandidate&)>;

// Copies or memsets (kind) that satisfy the condition.
Result<std::vector<CopyCandidate>> selectCopies(const ReportInput& input, EventKind kind,
                                                const CopyCondition& condition, JobControl& job);
// "Duration (ns), Start (ns), <kinds>, Bytes (MB), PID, ... API Name"; kindTitles: "Src Kind", "Dst Kind", or
// one title for the kind of memory of memsets.
Result<ReportTable> copyRuleTable(const ReportInput& input, std::vector<CopyCandidate> copies,
                                  const std::vector<std::string>& kindTitles, JobControl& job);

// Whether the function is the runtime's ("cudaMemcpy...") or, corrected, also the driver's ("cuMemcpy...").
bool isCallOf(std::string_view api, std::string_view operation, bool corrected);

} // namespace lacuna
