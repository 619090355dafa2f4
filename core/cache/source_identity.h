#pragma once
// What a cached trace was made from. Two identities are equal only if the file is the same one (path, device,
// inode), nobody has written to it since (size, times of its content and of its inode, samples of its bytes;
// also of a database's journals), and the same build of the program would read it with the same options.

#include "core/import/load_options.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lacuna {

struct SourceIdentity {
    std::filesystem::path file; // as it was opened
    LoadOptions options;        // without a receiver of snapshots
    std::string key;            // all of it, as text
    std::string cacheName; // name of the cache file: of path and member only, so that a newer one replaces it
    std::uint64_t bytes = 0; // size of the source
    std::int64_t ageNs = 0;  // since its last change, when looked at; negative when that lies in the future

    // Reads at most 400 KiB of the file. None for what is no regular file or cannot be read.
    static std::optional<SourceIdentity> of(const std::filesystem::path& file, const LoadOptions& options);
};

} // namespace lacuna
