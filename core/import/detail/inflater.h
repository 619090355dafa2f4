#pragma once
// gzip text unpacked from StoredBytes, with decoder states that can be copied: a copy continues where the
// original stood. Reads all members of a concatenated file.

#include "core/import/detail/stored_bytes.h"

#include <zlib.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lacuna {

class Inflater {
public:
    explicit Inflater(const StoredBytes& stored);
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    // The decoder as it stands now (about 40 KiB: zlib keeps the last 32 KiB of output). Null when zlib has
    // no memory for it, or at the end of the data.
    std::unique_ptr<Inflater> clone();

    // Unpacks up to buffer.size() bytes. 0 at the end or at damage.
    Result<std::size_t> produce(std::span<std::byte> buffer);

    std::uint64_t outputOffset() const { return m_outputOffset; }
    std::uint64_t inputOffset() const {
        return m_inputOffset - m_stream.avail_in;
    } // next byte to be unpacked
    const std::string& damage() const { return m_damage; }
    bool isCut() const { return m_isCut; } // damage() ended the data too early
    // Drops the input read ahead: what a kept snapshot needs no memory for.
    void releaseInput();

private:
    static constexpr std::size_t kInput = std::size_t{256} << 10;
    bool refill(Error& error);
    bool nextMember(Error& error);
    void endMember(int code);
    void stop(const std::string& what, bool cut);

    const StoredBytes& m_stored;
    z_stream m_stream{};
    std::unique_ptr<Bytef[]> m_input;
    std::uint64_t m_inputOffset = 0; // after the bytes in m_input
    std::uint64_t m_outputOffset = 0;
    std::size_t m_skipInput = 0; // rest of a trailer
    bool m_isReady = false;
    bool m_betweenMembers = false;
    bool m_ended = false;
    bool m_isCut = false;
    std::string m_damage;
};

} // namespace lacuna
