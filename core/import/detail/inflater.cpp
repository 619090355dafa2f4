#include "core/import/detail/inflater.h"

#include <climits>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace lacuna {

namespace {

constexpr int kGzipWrapper = 15 + 16; // window bits, and "expect a gzip header" in zlib's notation

} // namespace

Inflater::Inflater(const StoredBytes& stored) : m_stored(stored) {
    m_isReady = ::inflateInit2(&m_stream, kGzipWrapper) == Z_OK;
}

Inflater::~Inflater() {
    if (m_isReady)
        ::inflateEnd(&m_stream);
}

std::unique_ptr<Inflater> Inflater::clone() {
    if (!m_isReady || m_ended)
        return nullptr;
    auto copy = std::make_unique<Inflater>(m_stored);
    if (copy->m_isReady)
        ::inflateEnd(&copy->m_stream);
    // The source must be the stream itself: zlib refuses a stream that stands at another address than its
    // state knows, so a copy of m_stream would never be copied.
    copy->m_isReady = ::inflateCopy(&copy->m_stream, &m_stream) == Z_OK;
    if (!copy->m_isReady)
        return nullptr;
    copy->m_stream.next_in = nullptr;
    copy->m_stream.avail_in = 0;
    copy->m_inputOffset = inputOffset();
    copy->m_outputOffset = m_outputOffset;
    copy->m_betweenMembers = m_betweenMembers;
    copy->m_skipInput = m_skipInput;
    return copy;
}

void Inflater::releaseInput() {
    m_inputOffset = inputOffset();
    m_stream.avail_in = 0;
    m_input.reset();
}

void Inflater::stop(const std::string& what, bool cut) {
    if (m_damage.empty())
        m_damage = what + " at byte " + std::to_string(inputOffset()) + " of the file as stored";
    m_isCut = m_isCut || cut;
    m_ended = m_ended || cut;
}

bool Inflater::refill(Error& error) {
    if (!m_input)
        m_input = std::make_unique_for_overwrite<Bytef[]>(kInput);
    const auto got = m_stored.readAt(m_inputOffset, std::as_writable_bytes(std::span(m_input.get(), kInput)));
    if (!got) {
        error = got.error();
        return false;
    }
    m_inputOffset += *got;
    m_stream.next_in = m_input.get();
    m_stream.avail_in = static_cast<uInt>(*got);
    return true;
}

// After a trailer (what is left of it is skipped): padding zeros are skipped as well, another member starts
// anew, anything else is ignored.
bool Inflater::nextMember(Error& error) {
    for (;;) {
        if (m_stream.avail_in == 0) {
            if (!refill(error))
                return false;
            if (m_stream.avail_in == 0) {
                m_ended = true;
                return true;
            }
        }
        if (m_skipInput != 0 || *m_stream.next_in == 0) {
            m_skipInput -= m_skipInput != 0 ? 1u : 0u;
            ++m_stream.next_in;
            --m_stream.avail_in;
            continue;
        }
        if (*m_stream.next_in != 0x1f) {
            stop("data that is not gzip follows the compressed data and is ignored,", false);
            m_ended = true;
            return true;
        }
        ::inflateReset(&m_stream);
        m_betweenMembers = false;
        return true;
    }
}

void Inflater::endMember(int code) {
    const std::string_view message = m_stream.msg ? m_stream.msg : "";
    if (code == Z_STREAM_END) {
        m_betweenMembers = true;
    } else if (message == "incorrect length check") {
        stop("the gzip length is wrong", false); // the checksum before it was right
        m_betweenMembers = true;
    } else if (message == "incorrect data check") {
        // zlib stands after the checksum; four bytes of length follow. All text is out if they are right.
        std::array<unsigned char, 4> stored{};
        const auto got = m_stored.readAt(inputOffset(), std::as_writable_bytes(std::span(stored)));
        std::uint32_t length = 0;
        for (std::size_t i = 0; i < stored.size(); ++i)
            length |= static_cast<std::uint32_t>(stored[i]) << (8 * i);
        stop("the gzip checksum is wrong", false);
        m_isCut = m_isCut || !got || length != static_cast<std::uint32_t>(m_stream.total_out);
        m_betweenMembers = true;
        m_skipInput = stored.size();
    } else {
        stop("the compressed data is damaged", true);
    }
}

Result<std::size_t> Inflater::produce(std::span<std::byte> buffer) {
    if (!m_isReady)
        return Error{
            Errc::TooLarge, "There is no memory for unpacking the file.", {}, "Close other programs."};
    const std::size_t room = std::min<std::size_t>(buffer.size(), UINT_MAX);
    m_stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    m_stream.avail_out = static_cast<uInt>(room);
    Error error;
    while (m_stream.avail_out != 0 && !m_ended) {
        if (m_betweenMembers) {
            if (!nextMember(error))
                return error;
            continue;
        }
        if (m_stream.avail_in == 0) {
            if (!refill(error))
                return error;
            if (m_stream.avail_in == 0) {
                stop("the compressed data ends early", true);
                break;
            }
        }
        const int code = ::inflate(&m_stream, Z_NO_FLUSH);
        if (code != Z_OK && code != Z_BUF_ERROR)
            endMember(code);
    }
    const std::size_t done = room - m_stream.avail_out;
    m_outputOffset += done;
    return done;
}

} // namespace lacuna
