#pragma once
// The folder of cached traces. Everything about it is optional: what cannot be read, written or trusted is
// treated as not there, and it may be deleted at any moment. Files are private to the user, appear complete
// or not at all (temporary file, sync, rename), and the least recently used ones go when all together exceed
// the limit. Several processes may use one folder at the same time.

#include "core/base/job_control.h"
#include "core/cache/source_identity.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace lacuna {

// $XDG_CACHE_HOME or ~/.cache, /lacuna/index; empty (no cache) when LACUNA_CACHE=off or there is no home.
std::filesystem::path defaultCacheFolder();

class IndexCache {
public:
    static constexpr std::uint64_t kDefaultLimit = std::uint64_t{10} << 30;

    // The folder is made when the first trace is stored. limitBytes: of all files together.
    explicit IndexCache(std::filesystem::path folder, std::uint64_t limitBytes = kDefaultLimit);

    // Null: not there, of another file, build or format, damaged, or the job was cancelled. Makes it the most
    // recently used one. `path`: under which the source was opened, for the facts.
    std::shared_ptr<const Trace> find(const SourceIdentity& source, const std::string& path, unsigned threads,
                                      JobControl& job) const;
    // False: not stored (no folder, no room, too large, cancelled).
    bool store(const SourceIdentity& source, const Trace& trace, JobControl& job) const;

    struct Usage {
        std::uint64_t files = 0, bytes = 0;
    };
    Usage usage() const;
    void clear() const;

private:
    bool makeFolder() const;
    bool isFolderSafe() const;
    bool hasRoomFor(std::uint64_t bytes) const;
    void removeOldest(std::uint64_t limit, const std::filesystem::path& keep) const;

    std::filesystem::path m_folder;
    std::uint64_t m_limit;
};

} // namespace lacuna
