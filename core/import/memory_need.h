#pragma once
// How much memory a trace will take, before it is read: from the size of the file and how far its first
// pieces unpack. Events differ in how much text they have, so it may be twice or half: meant for a question,
// not for an account.

#include "core/base/job_control.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace lacuna {

struct MemoryNeed {
    std::uint64_t bytes = 0;       // of memory, at the highest point of the load
    std::uint64_t storedBytes = 0; // of the file
    bool canBePart = false;        // the reading can be ended early (reading_stop.h)
};

// False where a file of this size cannot need that much, so that small ones are not looked at.
bool mayNeed(std::uint64_t fileBytes, std::uint64_t memory);

// None: not to be told (standard input, a file that cannot be opened, a report that is yet to be exported).
std::optional<MemoryNeed> memoryNeed(const std::filesystem::path& file, const std::string& member,
                                     const JobControl& job);

} // namespace lacuna
