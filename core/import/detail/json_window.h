#pragma once
// A bounded window over a byte stream: one reused buffer that moves on, and grows only while one value is
// larger than it. Reads in pieces of at most 1 MiB and polls the job after each.

#include "core/base/job_control.h"
#include "core/import/byte_source.h"
#include "core/import/detail/json_scan.h"

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
    Window(ByteSource& source, JobControl& job, std::size_t size);

    const char* begin() const { return m_buffer.get(); }
    const char* end() const { return m_buffer.get() + m_size; } // kPadding zeros follow
    std::uint64_t offsetOf(const char* p) const { return m_base + static_cast<std::uint64_t>(p - begin()); }
    bool atEnd() const { return m_atEnd; } // nothing follows end()

    enum class Fill : std::uint8_t { Ok, AtEnd, AtLimit, Failed };
    // Makes `keep` the first byte of the window and reads on; moves begin(), end() and `keep`. Grows up to
    // `limit` bytes when everything must be kept. Failed: see error().
    Fill fill(const char*& keep, std::size_t limit);
    const Error& error() const { return m_error; }

private:
    void resize(std::size_t capacity, const char* keep, std::size_t kept);
    bool readPiece();

    ByteSource& m_source;
    JobControl& m_job;
    std::unique_ptr<char[]> m_buffer;
    std::size_t m_usual, m_capacity, m_size = 0;
    std::uint64_t m_base = 0; // offset of begin() in the stream
    std::uint64_t m_storedDone = 0;
    bool m_atEnd = false;
    Error m_error;
};

} // namespace lacuna::json
