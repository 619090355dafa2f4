#pragma once
// Bytes that come one after the other and cannot be gone back to: what a decoder gives.

#include "core/base/result.h"
#include "core/import/detail/stored_bytes.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace lacuna {

class ByteStream {
public:
    virtual ~ByteStream() = default;
    // At most buffer.size() bytes; 0 at the end and at damage, which damage() then names. Errors are those of
    // the source: it cannot be read, or the job was cancelled (then reading may go on later).
    virtual Result<std::size_t> read(std::span<std::byte> buffer) = 0;
    virtual std::string damage() const { return {}; } // empty: none
    virtual bool isCut() const { return false; }      // damage() hides a part of the data
};

using StreamPtr = std::unique_ptr<ByteStream>;
using StoredPtr = std::shared_ptr<const StoredBytes>;

// Stored bytes from their beginning.
class StoredStream final : public ByteStream {
public:
    explicit StoredStream(StoredPtr stored) : m_stored(std::move(stored)) {}
    Result<std::size_t> read(std::span<std::byte> buffer) override {
        auto got = m_stored->readAt(m_position, buffer);
        m_position += got ? *got : 0;
        return got;
    }
    std::string damage() const override { return m_stored->damage(); }
    bool isCut() const override { return m_stored->isCut(); }

private:
    StoredPtr m_stored;
    std::uint64_t m_position = 0;
};

} // namespace lacuna
