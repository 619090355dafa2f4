#pragma once
// Bytes as stored: a file read with pread, or memory. Random access, no position of its own.

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace lacuna {

class StoredBytes {
public:
    virtual ~StoredBytes() = default;
    // Fewer bytes than asked for only at the end (0: nothing left). Safe to call from several threads.
    virtual Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) const = 0;
    virtual std::uint64_t size() const = 0; // 0 while it is not known: data that still arrives
    // The same; reads to the end where it is not known yet.
    virtual Result<std::uint64_t> sizeAtEnd() const { return size(); }
    virtual std::string damage() const { return {}; } // why the bytes end too early; empty: they do not
    virtual bool isCut() const { return false; }      // damage() hides a part of the bytes
    // The file was written since it was opened.
    virtual bool hasChanged() const { return false; }
};

// Errors: missing, no permission, not a regular file.
Result<std::unique_ptr<StoredBytes>> openStoredFile(const std::filesystem::path& file);
std::unique_ptr<StoredBytes> storedMemory(std::string text);

} // namespace lacuna
