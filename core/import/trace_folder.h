#pragma once
// A folder of traces, told by the names of its files alone: profilers write one file per worker and cycle
// (`trace-{step}.json`, `worker0_step_12.1694128201545.pt.trace.json`, `rank0/trace-12.json.gz`).

#include "core/base/job_control.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct TraceFileName {
    std::string worker;               // "worker0", "rank0/worker0"; empty: the name tells none
    std::optional<std::int64_t> step; // none: the name tells none
    std::int64_t stamp = 0;           // when it was written, in the unit of the name; 0: not told
    friend bool operator==(const TraceFileName&, const TraceFileName&) = default;
};
// Of a path relative to the folder, with '/'. None: not the name of a trace.
std::optional<TraceFileName> parseTraceFileName(std::string_view relative);

struct FolderTrace {
    std::filesystem::path path;
    std::string relative; // to the folder
    TraceFileName name;
    std::uint64_t size = 0; // bytes as stored
};
struct FolderWorker {
    std::string name;                // empty: files whose names tell no worker
    std::vector<FolderTrace> traces; // by step, then time of writing, then name
};
struct TraceFolder {
    std::vector<FolderWorker> workers; // in natural order: worker2 before worker10
    std::size_t otherFiles = 0;        // that have no name of a trace
    std::size_t traces() const;
};

// The folder itself and the folders in it, not deeper; at most kMostFolderFiles files. Reads no file. Errors:
// Cancelled; Io with the folder's name.
inline constexpr std::size_t kMostFolderFiles = 20'000;
Result<TraceFolder> listTraceFolder(const std::filesystem::path& folder, JobControl& job);

} // namespace lacuna
