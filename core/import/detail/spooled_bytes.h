#pragma once
// Random access to a stream: what passed is kept in a spool file. Where the spool is full the stream still
// passes; what was not kept is then unpacked again from the start, where the source allows that.

#include "core/import/detail/byte_stream.h"
#include "core/import/detail/spool_file.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace lacuna {

class SpooledBytes final : public StoredBytes {
public:
    // The same stream from its beginning; empty where that is impossible (standard input).
    using Reopen = std::function<Result<StreamPtr>()>;

    SpooledBytes(StreamPtr stream, Reopen reopen, std::uint64_t spoolLimit = SpoolFile::kHalfOfFree);

    // Reads the stream on as far as needed. Bytes at the present end of what passed go to the caller first,
    // so a full disk does not stop a forward reader.
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) const override;
    std::uint64_t size() const override { return m_size; } // 0 until the end was reached
    Result<std::uint64_t> sizeAtEnd() const override;
    std::string damage() const override;
    bool isCut() const override;

private:
    // One of the four sources of bytes; 0 at the end.
    Result<std::size_t> readSome(std::uint64_t at, std::span<std::byte> buffer) const;
    Result<std::size_t> readOn(std::span<std::byte> buffer) const;
    Result<std::size_t> readAgain(std::uint64_t at, std::span<std::byte> buffer) const;

    mutable std::mutex m_mutex;
    mutable StreamPtr m_stream;
    Reopen m_reopen;
    mutable SpoolFile m_spool;
    mutable std::vector<std::byte> m_head; // kept in memory: recognising a format needs no disk
    mutable std::uint64_t m_passed = 0;    // bytes that the stream gave
    mutable bool m_atEnd = false;
    mutable std::atomic<std::uint64_t> m_size{0}; // read without the lock, which a waiting reader holds
    mutable StreamPtr m_again;                    // second pass for what was not kept
    mutable std::uint64_t m_againPassed = 0;
};

} // namespace lacuna
