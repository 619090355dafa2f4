#include "core/ncu/wire_reader.h"

#include <algorithm>
#include <span>

namespace lacuna::ncu {

namespace {

constexpr std::size_t kWireBuffer = std::size_t{256} << 10;
constexpr unsigned kVarintBits = 64;

} // namespace

// False at the end of the stream (no stop) and on a failure (Stop::Failed).
bool WireReader::fill() {
    if (m_stop != Stop::None)
        return false;
    m_buffer.resize(kWireBuffer);
    const auto got = m_source.read(std::as_writable_bytes(std::span(m_buffer)));
    if (!got) {
        m_error = got.error();
        return fail(Stop::Failed);
    }
    const std::uint64_t done = m_source.storedDone();
    m_job.advance(done - m_storedDone);
    m_storedDone = done;
    if (m_job.cancelled()) {
        m_error = cancelledError();
        return fail(Stop::Failed);
    }
    m_at = 0;
    m_size = *got;
    return *got > 0;
}

bool WireReader::isAtEnd() {
    return m_at == m_size && !fill();
}

bool WireReader::readByte(std::uint8_t& byte) {
    if (m_stop != Stop::None)
        return false;
    if (m_at == m_size && !fill())
        return fail(Stop::End);
    byte = static_cast<std::uint8_t>(m_buffer[m_at++]);
    ++m_position;
    return true;
}

bool WireReader::readU32(std::uint32_t& value) {
    std::uint64_t wide = 0;
    if (!readFixed(UINT64_MAX, 4, wide))
        return false;
    value = static_cast<std::uint32_t>(wide);
    return true;
}

bool WireReader::readFixed(std::uint64_t end, unsigned bytes, std::uint64_t& value) {
    if (end - m_position < bytes)
        return fail(Stop::Malformed);
    value = 0;
    for (unsigned i = 0; i < bytes; ++i) { // little endian
        std::uint8_t byte = 0;
        if (!readByte(byte))
            return false;
        value |= std::uint64_t{byte} << (8 * i);
    }
    return true;
}

bool WireReader::readVarint(std::uint64_t end, std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < kVarintBits; shift += 7) {
        if (m_position >= end)
            return fail(Stop::Malformed);
        std::uint8_t byte = 0;
        if (!readByte(byte))
            return false;
        value |= std::uint64_t{byte & 0x7Fu} << shift;
        if ((byte & 0x80u) == 0)
            return true;
    }
    return fail(Stop::Malformed);
}

bool WireReader::skip(std::uint64_t size) {
    while (size > 0) {
        if (m_stop != Stop::None)
            return false;
        if (m_at == m_size && !fill())
            return fail(Stop::End);
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(size, m_size - m_at));
        m_at += part;
        m_position += part;
        size -= part;
    }
    return m_stop == Stop::None;
}

bool WireReader::readText(std::uint64_t size, std::string& text, std::size_t most) {
    text.clear();
    for (std::uint64_t wanted = std::min<std::uint64_t>(size, most); wanted > 0;) {
        if (m_stop != Stop::None)
            return false;
        if (m_at == m_size && !fill())
            return fail(Stop::End);
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, m_size - m_at));
        text.append(m_buffer.data() + m_at, part);
        m_at += part;
        m_position += part;
        wanted -= part;
    }
    return size <= most || skip(size - most);
}

bool WireReader::nextField(std::uint64_t end, WireField& field) {
    if (m_stop != Stop::None || m_position >= end)
        return false;
    std::uint64_t key = 0;
    if (!readVarint(end, key))
        return false;
    field.number = static_cast<std::uint32_t>(key >> 3);
    if (key >> 3 == 0 || key >> 3 > 0x1FFFFFFF) // protocol buffers allow 29 bits
        return fail(Stop::Malformed);
    switch (key & 7) {
    case 0:
        field.type = WireType::Varint;
        return readVarint(end, field.value);
    case 1:
        field.type = WireType::Fixed64;
        return readFixed(end, 8, field.value);
    case 2:
        field.type = WireType::Bytes;
        if (!readVarint(end, field.value))
            return false;
        return field.value <= end - m_position || fail(Stop::Malformed);
    case 5:
        field.type = WireType::Fixed32;
        return readFixed(end, 4, field.value);
    default:
        return fail(Stop::Malformed);
    }
}

} // namespace lacuna::ncu
