#pragma once
// Sniff -> choose -> load -> finish. Errors carry a reason, a place and a remedy for people.

#include "core/import/importer.h"

#include <filesystem>
#include <memory>
#include <string>

namespace lacuna {

struct LoadedTrace {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<DetailReader> details; // may be null when the source cannot be read again
};

Result<LoadedTrace> loadTrace(const std::filesystem::path& file, const ImporterList& importers,
                              JobControl& job, const LoadOptions& options = {});
// From memory, for tests: `fileName` stands for the name. chunk limits every read.
Result<LoadedTrace> loadTraceFromMemory(std::string bytes, std::string_view fileName,
                                        const ImporterList& importers, JobControl& job, std::size_t chunk = 0,
                                        const LoadOptions& options = {});

// SHA-256 of the file's bytes as stored, lower-case hex. Reads the whole file; polls the job.
Result<std::string> sha256OfFile(const std::filesystem::path& file, JobControl& job);

} // namespace lacuna
