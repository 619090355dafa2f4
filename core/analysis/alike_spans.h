#pragma once
// Spans of a trace that do the same as a marked one: a step that nobody annotated. Alike is what launches the
// same kernels, copies and memsets in the same order on the stream that is busiest in the marked span; where
// no operation of a device is in it, what repeats the longest host event in it by name.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lacuna {

struct AlikeSpans {
    std::vector<TimeRange> spans; // by begin; the marked one is among them, unless nothing is in it
    std::size_t marked = 0;       // its index; others are moved so that they begin as far before what they do
    std::string by;               // "38 operations on stream 7", "aten::linear"; empty: nothing is in it
    std::int64_t minNs = 0, medianNs = 0, p95Ns = 0, maxNs = 0; // of the lengths; lower median, nearest rank
};

// Spans of operations do not overlap. O(rows of the strips looked at). Error: Cancelled.
Result<AlikeSpans> findAlike(const Trace& trace, TimeRange range, JobControl& job);

} // namespace lacuna
