#pragma once
// What a capture holds: which options of the profiler were on, with how to get those that were not, and which
// versions of software the file names. Only what the file shows; everything else is unknown.

#include "core/base/job_control.h"
#include "core/import/importer.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lacuna {

struct CaptureItem {
    std::string key;          // stable: "shapes", "nvtx"
    std::string title;        // "Shapes"
    std::optional<bool> held; // none: the file does not tell
    std::string howTo;        // how to record it; for people
};

struct CaptureContents {
    std::vector<CaptureItem> items; // empty for formats without known options
    // "CUDA driver" -> "13.0"; empty text: unknown.
    std::vector<std::pair<std::string, std::string>> software;
    std::vector<std::string> tablesNotShown; // with rows, in the order of the file
};

// Reads a handful of operators through `details` (may be null) where no root value of the file tells the
// options. O(rows).
CaptureContents captureContents(const Trace& trace, DetailReader* details, JobControl& job);

// "yes", "no", "unknown"
std::string_view heldName(std::optional<bool> held);

} // namespace lacuna
