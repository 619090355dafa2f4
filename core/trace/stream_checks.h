#pragma once
// Device rows whose recorded end cannot be right (chrome_json.md fault 17).

#include "core/base/job_control.h"
#include "core/trace/trace.h"

namespace lacuna {

// Notes rows that last more than 1 ms beyond the start of the next row of their stream: overlap on one stream
// is usual (dependent launches), but far shorter. The rows stay as they are. False when cancelled. O(n log n)
// of the streams that overlap.
bool noteOverruns(const Trace& trace, ImportReport& report, JobControl& job);

} // namespace lacuna
