#pragma once
// Several ranks of one run beside each other, as a table of its own: reports are of one trace.
//
// Clocks of machines disagree, so arrival is told without them (collective_match.h). A name that does not
// occur equally often on all ranks matches nothing.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/report/report_table.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lacuna {

struct RankInput {
    std::int64_t rank = 0;
    std::string title; // of the trace, for people
    const Trace* trace = nullptr;
};

// Rows: ranks, who came last most often first, then by rank. Columns: Rank, File, Step median (ns), Busy
// (ns), Share of span (%), Communication (ns), Overlapped (ns), Collectives, Last Arrivals, Wait (ns),
// Wait of span (%). Overlapped: communication under compute. With one rank the last four are empty.
// Error: Cancelled.
Result<ReportTable> rankTable(const std::vector<RankInput>& ranks, JobControl& job);

} // namespace lacuna
