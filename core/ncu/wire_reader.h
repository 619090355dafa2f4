#pragma once
// Protocol-buffer messages as a stream, bounded twice: by the end of the file and by the message that holds
// the one being read. Nothing is allocated that was not read.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/import/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lacuna::ncu {

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct WireField {
    std::uint32_t number = 0;
    WireType type = WireType::Varint;
    std::uint64_t value = 0; // Varint, Fixed64, Fixed32: the bits; Bytes: the length, unread
};

class WireReader {
public:
    enum class Stop : std::uint8_t { None, End, Malformed, Failed }; // End: the text ends too early

    WireReader(ByteSource& source, JobControl& job) : m_source(source), m_job(job) {}

    std::uint64_t position() const { return m_position; }
    Stop stop() const { return m_stop; } // once it is not None, every read fails
    const Error& error() const { return m_error; }

    // The following answer false and set stop() when there is not enough text.
    bool readU32(std::uint32_t& value);
    // The text as it is; a longer one than `most` is read up to that and the rest passed over.
    bool readText(std::uint64_t size, std::string& text, std::size_t most);
    bool skip(std::uint64_t size);
    // True at the end of the stream, which is no failure.
    bool isAtEnd();

    // The next field of a message that ends at `end` (a position); false at its end or on a stop. The bytes
    // of a Bytes field are for the caller: to read exactly, or to skip.
    bool nextField(std::uint64_t end, WireField& field);
    bool skipBytes(const WireField& field) { return field.type != WireType::Bytes || skip(field.value); }

private:
    bool fill();
    bool fail(Stop stop) {
        m_stop = m_stop == Stop::None ? stop : m_stop;
        return false;
    }
    bool readByte(std::uint8_t& byte);
    bool readVarint(std::uint64_t end, std::uint64_t& value);
    bool readFixed(std::uint64_t end, unsigned bytes, std::uint64_t& value);

    ByteSource& m_source;
    JobControl& m_job;
    std::vector<char> m_buffer;
    std::size_t m_at = 0, m_size = 0;
    std::uint64_t m_position = 0, m_storedDone = 0;
    Stop m_stop = Stop::None;
    Error m_error;
};

} // namespace lacuna::ncu
