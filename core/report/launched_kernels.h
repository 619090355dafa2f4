#pragma once
// Kernels with the call that launched them.

#include "core/base/column.h"
#include "core/report/report_rows.h"

#include <string>

namespace lacuna {

struct LaunchedOp {
    EventId op, call;
    ThreadId thread;              // of the call
    std::int64_t callBeginNs = 0; // here, so that sorting looks nowhere else
};

// Operations of the kinds whose call was recorded, by (call start, op start), equal ones in the order of the
// file. unlaunched: how many have no call. None when the job was cancelled.
struct LaunchedOps {
    Column<LaunchedOp> ops;
    std::uint64_t unlaunched = 0;
};
std::optional<LaunchedOps> launchedOps(const ReportInput& input, KindMask kinds, JobControl& job);
// "n kernels without a recorded call are left out."; empty for none.
std::string unlaunchedNote(std::uint64_t count);

} // namespace lacuna
