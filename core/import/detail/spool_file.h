#pragma once
// What was unpacked, on disk, so that a part of it can be read again. The file has no name and goes with the
// process. It lies in TMPDIR where that is set, else in the user's cache folder, else in the system's
// temporary folders; never beside the source.

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lacuna {

class SpoolFile {
public:
    static constexpr std::uint64_t kHalfOfFree = UINT64_MAX;

    // `limit`: most bytes to keep; by default half of what is free when the first byte is kept. 0 keeps
    // nothing and makes no file.
    explicit SpoolFile(std::uint64_t limit = kHalfOfFree) : m_limit(limit) {}
    ~SpoolFile();
    SpoolFile(const SpoolFile&) = delete;
    SpoolFile& operator=(const SpoolFile&) = delete;

    // False when the bytes were not kept: the limit is reached or the disk is full. Nothing is kept then from
    // there on; what was kept before stays.
    bool append(std::span<const std::byte> bytes);
    std::uint64_t size() const { return m_size; }
    // Bytes below size().
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) const;

private:
    bool open();

    std::uint64_t m_limit, m_size = 0;
    int m_descriptor = -1;
    bool m_isFull = false;
};

} // namespace lacuna
