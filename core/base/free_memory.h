#pragma once
// Memory that the process could still get.

#include <cstdint>
#include <filesystem>
#include <optional>

namespace lacuna {

// Bytes: what the machine has available, or less where a limit of the control group or of the process itself
// (ulimit -v) is nearer. None where the system does not tell. `root`: of the system's own files, for tests.
std::optional<std::uint64_t> freeMemory(const std::filesystem::path& root = "/");

} // namespace lacuna
