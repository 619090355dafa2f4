#pragma once
// loadTrace() with the index cache in front of it, for programs: a file that was opened before and has not
// changed is complete without being read again.

#include "core/cache/source_identity.h"
#include "core/import/load_trace.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace lacuna {

// Kept are traces that were read whole (what made a part unreadable may pass) and would take noticeably
// longer from their source, of files that nobody has just written to: a change within one tick of the file
// system's clock leaves no mark (FAT counts in two seconds).
struct CachePolicy {
    std::uint64_t worthBytes = std::uint64_t{8} << 20; // either size
    double worthSeconds = 0.3;                         // or time of the load is enough
    std::int64_t settledNs = 3'000'000'000;            // since the last change
};

struct CachedLoad : LoadedTrace {
    std::shared_ptr<const SourceIdentity> toStore; // set when the trace is worth keeping: for storeIndex()
};

// As loadTrace() with the builtin importers. options.cacheFolder is that of IndexCache; empty: no cache.
Result<CachedLoad> loadCached(const std::filesystem::path& file, JobControl& job, const LoadOptions& options,
                              const CachePolicy& policy = {});

// Stores what loadCached() marked so, once the result is shown, unless the file has changed since the load
// began. Takes about as long as copying 40 bytes a row to the disk; false when it was not stored.
bool storeIndex(const CachedLoad& loaded, JobControl& job);

} // namespace lacuna
