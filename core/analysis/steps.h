#pragma once
// Steps of a run: ProfilerStep ranges, or NVTX / annotation ranges named "step ..." / "iteration ...".

#include "core/base/job_control.h"
#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace lacuna {

struct Steps {
    std::string source;          // "ProfilerStep", "NVTX", ...; empty: none found
    std::vector<EventId> events; // in time order
    std::int64_t minNs = 0, medianNs = 0, p95Ns = 0, maxNs = 0; // of the durations; lower median
};

// O(n log n) for n ranges. Of no use when the job was cancelled.
Steps findSteps(const Trace& trace, const JobControl& job = JobControl());

} // namespace lacuna
