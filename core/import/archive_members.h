#pragma once
// What an archive (zip, tar) holds: one trace of it is open at a time.

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lacuna {

class JobControl;

struct ArchiveMember {
    std::string name;                  // as LoadOptions::member takes it; printable
    std::optional<std::uint64_t> size; // bytes as the archive holds it; none: it does not tell
};

// The traces among which LoadOptions::member chooses, in natural order ("rank2" before "rank10"); empty when
// the file is no archive. Reads a compressed tar to its end. Errors: the file cannot be opened, an archive
// that holds no trace.
Result<std::vector<ArchiveMember>> listMembers(const std::filesystem::path& file, JobControl& job);

} // namespace lacuna
