#pragma once
// A bounded window over a text: one reused buffer that moves on, and grows only while one value is larger
// than it.

#include "core/base/result.h"
#include "core/import/detail/json_scan.h"
#include "core/import/detail/polled_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lacuna::json {

struct Limits {
    std::size_t window = std::size_t{4} << 20;
    std::size_t event = std::size_t{64} << 20;    // larger events are skipped and counted
    std::size_t metadata = std::size_t{16} << 20; // the same for other values of the root object
};

class Window {
public:
    enum class Reading : std::uint8_t { Full, Little };
    // Full: fill() fills the window. Little: it ends with what the source has to give at once (as much as is
    // kept at least, so that a large value is not gone through again and again), up to an end of a piece.
    Window(TextSource& source, std::size_t size, Reading reading);

    const char* begin() const { return m_buffer.get(); }
    const char* end() const { return m_buffer.get() + m_size; } // kPadding zeros follow
    std::uint64_t offsetOf(const char* p) const { return m_base + static_cast<std::uint64_t>(p - begin()); }
    bool atEnd() const { return m_atEnd; } // nothing follows end()

    enum class Fill : std::uint8_t { Ok, AtEnd, AtLimit, Failed };
    // Makes `keep` the first byte of the window and reads on; moves begin(), end() and `keep`. Grows up to
    // `limit` bytes when everything must be kept. Failed: see error().
    Fill fill(const char*& keep, std::size_t limit);
    const Error& error() const { return m_error; }
    // Forgets everything: the source goes on at `offset`.
    void restart(std::uint64_t offset);

private:
    void resize(std::size_t capacity, const char* keep, std::size_t kept);
    bool readMore();

    TextSource& m_source;
    Reading m_reading;
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_usual, m_capacity, m_size = 0;
    std::uint64_t m_base = 0; // offset of begin() in the stream
    bool m_atEnd = false;
    Error m_error;
};

} // namespace lacuna::json
