#pragma once
// gzip text unpacked from StoredBytes, with decoder states that can be copied: a copy continues where the
// original stood. Reads all members of a concatenated file. The deflate data is unpacked by ISA-L, three
// times as fast as zlib; headers by ISA-L, trailers here, because ISA-L does not tell a wrong checksum from a
// wrong length.

#include "core/import/detail/stored_bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

struct inflate_state;

namespace lacuna {

class Inflater {
public:
    explicit Inflater(const StoredBytes& stored);
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    // The decoder as it stands now (about 86 KiB, most of it the last 64 KiB of output) without the input
    // that it has read ahead. Null at the end of the data.
    std::unique_ptr<Inflater> clone() const;

    // Unpacks up to buffer.size() bytes. 0 at the end or at damage.
    Result<std::size_t> produce(std::span<std::byte> buffer);

    std::uint64_t outputOffset() const { return m_outputOffset; }
    std::uint64_t inputOffset() const; // next byte to be unpacked
    const std::string& damage() const { return m_damage; }
    bool isCut() const { return m_isCut; } // damage() ended the data too early

private:
    enum class Part : std::uint8_t { Header, Text, Trailer, Between, Rest, End };
    static constexpr std::size_t kInput = std::size_t{256} << 10;
    static constexpr std::size_t kTrailer = 8; // checksum and length

    bool hasInput(); // at least one byte, after reading on if need be
    void readHeader();
    void unpack();
    void readTrailer();
    void betweenMembers();
    void takeRest();
    void stop(const std::string& what, bool cut);

    const StoredBytes& m_stored;
    std::unique_ptr<inflate_state> m_state;
    std::unique_ptr<std::uint8_t[]> m_input;
    std::uint64_t m_inputOffset = 0; // after the bytes in m_input
    std::uint64_t m_outputOffset = 0;
    std::array<std::uint8_t, kTrailer> m_trailer{};
    std::size_t m_trailerSize = 0; // bytes of it that have come
    Part m_part = Part::Between;
    bool m_isFirstMember = true;
    bool m_inputEnded = false;
    bool m_isCut = false;
    std::string m_damage;
    Error m_error; // of the last read
    bool m_failed = false;
};

} // namespace lacuna
