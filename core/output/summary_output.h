#pragma once
// What `lacuna summary` prints: what the file holds, what was not understood, busy and idle per device.

#include "core/analysis/device_busy.h"
#include "core/analysis/steps.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/document/completeness.h"
#include "core/import/load_trace.h"
#include "core/output/json_writer.h"
#include "core/trace/trace.h"

#include <memory>
#include <string>
#include <vector>

namespace lacuna {

struct Summary {
    std::shared_ptr<const Trace> trace;
    std::string sha256;              // of the file's bytes as stored
    std::vector<DeviceBusy> devices; // those with at least one operation, in the order of the trace
    Steps steps;
    Completeness completeness;
};

// Errors: only Cancelled. O(n log n) over the device rows, O(n) over the others.
Result<Summary> summarise(const LoadedTrace& loaded, std::string sha256, JobControl& job);

void writeSummaryJson(const Summary& summary, TextSink& sink);
void writeSummaryText(const Summary& summary, TextSink& sink);

// Member "file" of every JSON output.
void writeFileMember(JsonWriter& json, const TraceFacts& facts, const std::string& sha256);
// "GPU 0, NVIDIA H200, process 483", "..., MPI rank 3" where it is known
std::string deviceTitle(const Trace& trace, DeviceId device);
// Id of the launching process for the operating system; none where no host row exists.
std::optional<std::int64_t> processOf(const Trace& trace, DeviceId device);

} // namespace lacuna
