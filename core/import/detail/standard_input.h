#pragma once
// Standard input with random access: it can be read once, so what came is kept (SpooledBytes) and answers
// later questions: details of an event, the checksum, another member of an archive, a reload.

#include "core/import/detail/stored_bytes.h"

#include <memory>
#include <mutex>

namespace lacuna {

class JobControl;
class PipeStream;
class SpooledBytes;

class StandardInput final : public StoredBytes {
public:
    // Takes over the descriptor (tests use a pipe).
    explicit StandardInput(int descriptor, std::uint64_t spoolLimit = UINT64_MAX);
    ~StandardInput() override;
    StandardInput(const StandardInput&) = delete;
    StandardInput& operator=(const StandardInput&) = delete;

    // Waits for data; a cancelled job ends the wait within 50 ms with Errc::Cancelled, and reading may go on
    // later. Null: nobody cancels.
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer,
                               const JobControl* job) const;
    Result<std::uint64_t> sizeAtEnd(const JobControl* job) const;

    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> buffer) const override {
        return readAt(offset, buffer, nullptr);
    }
    std::uint64_t size() const override;
    Result<std::uint64_t> sizeAtEnd() const override { return sizeAtEnd(nullptr); }

private:
    mutable std::mutex m_mutex;   // one waits at a time
    PipeStream* m_pipe = nullptr; // owned by m_bytes
    std::unique_ptr<SpooledBytes> m_bytes;
};

// That of this process, read by whoever asks first. Errors: closed, a terminal, a folder.
Result<std::shared_ptr<const StandardInput>> standardInput();

} // namespace lacuna
