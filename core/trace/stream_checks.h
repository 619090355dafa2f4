#pragma once
// Device rows whose recorded end cannot be right (chrome_json.md fault 17).

#include "core/base/job_control.h"
#include "core/trace/trace.h"

#include <string_view>
#include <vector>

namespace lacuna {

// Notes rows that last more than 1 ms beyond the start of the next row of their stream: overlap on one stream
// is usual (dependent launches), but far shorter. The rows stay as they are. False when cancelled. O(n log n)
// of the streams that overlap.
bool noteOverruns(const Trace& trace, ImportReport& report, JobControl& job);
// Code of that note, and of the one which says that the rows are no device work (core/import/read_as.h).
inline constexpr std::string_view kOverruns = "overrunning_device_row",
                                  kOverrunsLeftOut = "overruns_left_out";
inline bool areOverrunsLeftOut(const Trace& trace) {
    return trace.report().find(kOverrunsLeftOut) != nullptr;
}
// Those rows of one lane, in order of time; of lanes other than streams none. O(n log depth). Of no use once
// the job is cancelled.
std::vector<EventId> overrunsOf(const Trace& trace, LaneId lane, const JobControl& job);

} // namespace lacuna
