#include "core/import/detail/inflater.h"

#include <climits>

#include <algorithm>
#include <cstring>
#include <isa-l/igzip_lib.h>

namespace lacuna {

namespace {

std::uint32_t littleEndian(const std::uint8_t* bytes) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i)
        value |= std::uint32_t{bytes[i]} << (8 * i);
    return value;
}

} // namespace

Inflater::Inflater(const StoredBytes& stored) : m_stored(stored), m_state(std::make_unique<inflate_state>()) {
    ::isal_inflate_init(m_state.get());
}

Inflater::~Inflater() = default;

std::uint64_t Inflater::inputOffset() const {
    return m_inputOffset - m_state->avail_in;
}

std::unique_ptr<Inflater> Inflater::clone() const {
    if (m_part == Part::End)
        return nullptr;
    auto copy = std::make_unique<Inflater>(m_stored);
    *copy->m_state = *m_state;
    copy->m_state->next_in = nullptr;
    copy->m_state->avail_in = 0;
    copy->m_inputOffset = inputOffset();
    copy->m_outputOffset = m_outputOffset;
    copy->m_trailer = m_trailer;
    copy->m_trailerSize = m_trailerSize;
    copy->m_part = m_part;
    copy->m_isFirstMember = m_isFirstMember;
    return copy;
}

void Inflater::stop(const std::string& what, bool cut) {
    if (m_damage.empty())
        m_damage = what + " at byte " + std::to_string(inputOffset()) + " of the file as stored";
    m_isCut = m_isCut || cut;
}

bool Inflater::hasInput() {
    if (m_state->avail_in != 0)
        return true;
    if (m_inputEnded || m_failed)
        return false;
    if (!m_input)
        m_input = std::make_unique_for_overwrite<std::uint8_t[]>(kInput);
    const auto got = m_stored.readAt(m_inputOffset, std::as_writable_bytes(std::span(m_input.get(), kInput)));
    if (!got) {
        m_error = got.error();
        m_failed = true;
        return false;
    }
    m_inputOffset += *got;
    m_inputEnded = *got == 0;
    m_state->next_in = m_input.get();
    m_state->avail_in = static_cast<std::uint32_t>(*got);
    return !m_inputEnded;
}

// Padding zeros after a trailer are skipped, another member starts anew, anything else is ignored.
void Inflater::betweenMembers() {
    while (hasInput()) {
        inflate_state& state = *m_state;
        if (*state.next_in == 0 && !m_isFirstMember) {
            ++state.next_in;
            --state.avail_in;
            continue;
        }
        if (*state.next_in != 0x1f && !m_isFirstMember) {
            stop("data that is not gzip follows the compressed data and is ignored,", false);
            m_part = Part::End;
            return;
        }
        m_isFirstMember = false;
        ::isal_inflate_reset(&state);
        m_part = Part::Header;
        return;
    }
    m_part = Part::End;
}

void Inflater::readHeader() {
    if (!hasInput()) {
        stop("the compressed data ends early", true);
        m_part = Part::End;
        return;
    }
    isal_gzip_header header{};
    ::isal_gzip_header_init(&header);
    const int code = ::isal_read_gzip_header(m_state.get(), &header);
    if (code == ISAL_DECOMP_OK) {
        m_state->crc_flag = ISAL_GZIP_NO_HDR; // keeps the checksum, reads no trailer
        m_part = Part::Text;
    } else if (code != ISAL_END_INPUT) {
        stop("the compressed data is damaged", true);
        m_part = Part::End;
    }
}

void Inflater::unpack() {
    const bool hasMore = hasInput();
    if (m_failed)
        return;
    inflate_state& state = *m_state;
    const std::uint32_t room = state.avail_out;
    const int code = ::isal_inflate(&state);
    if (code < 0 || code == ISAL_NEED_DICT) {
        stop("the compressed data is damaged", true);
        m_part = Part::Rest;
    } else if (state.block_state == ISAL_BLOCK_FINISH) {
        // Whole bytes that were taken as bits belong to the trailer.
        m_trailerSize = 0;
        state.read_in >>= state.read_in_length % 8;
        for (int left = state.read_in_length / 8; left > 0; --left) {
            m_trailer[m_trailerSize++] = static_cast<std::uint8_t>(state.read_in);
            state.read_in >>= 8;
        }
        m_part = Part::Trailer;
    } else if (!hasMore && state.avail_out == room) {
        stop("the compressed data ends early", true);
        m_part = Part::End;
    }
}

// Text unpacked before the damage that had no room in the buffer yet.
void Inflater::takeRest() {
    inflate_state& state = *m_state;
    const auto left = static_cast<std::uint32_t>(state.tmp_out_valid - state.tmp_out_processed);
    const std::uint32_t count = std::min(left, state.avail_out);
    std::memcpy(state.next_out, state.tmp_out_buffer + state.tmp_out_processed, count);
    state.next_out += count;
    state.avail_out -= count;
    state.tmp_out_processed += static_cast<std::int32_t>(count);
    if (count == left)
        m_part = Part::End;
}

void Inflater::readTrailer() {
    inflate_state& state = *m_state;
    while (m_trailerSize < kTrailer && hasInput()) {
        m_trailer[m_trailerSize++] = *state.next_in++;
        --state.avail_in;
    }
    if (m_failed)
        return;
    m_part = Part::Between;
    if (m_trailerSize < kTrailer) {
        stop("the compressed data ends early", true);
        m_part = Part::End;
        return;
    }
    const bool lengthIsRight = littleEndian(m_trailer.data() + 4) == state.total_out;
    // A wrong checksum alone hides nothing: all text is out if the length is right.
    if (littleEndian(m_trailer.data()) != state.crc)
        stop("the gzip checksum is wrong", !lengthIsRight);
    else if (!lengthIsRight)
        stop("the gzip length is wrong", false);
}

Result<std::size_t> Inflater::produce(std::span<std::byte> buffer) {
    const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(buffer.size(), INT_MAX));
    m_failed = false;
    m_state->next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
    m_state->avail_out = room;
    while (m_state->avail_out != 0 && m_part != Part::End && !m_failed) {
        switch (m_part) {
        case Part::Header:
            readHeader();
            break;
        case Part::Text:
            unpack();
            break;
        case Part::Trailer:
            readTrailer();
            break;
        case Part::Between:
            betweenMembers();
            break;
        case Part::Rest:
            takeRest();
            break;
        case Part::End:
            break;
        }
    }
    const std::size_t done = room - m_state->avail_out;
    m_outputOffset += done;
    if (m_failed)
        return m_error;
    return done;
}

} // namespace lacuna
