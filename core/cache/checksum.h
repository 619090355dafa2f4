#pragma once
// Checksum of cache sections against damage, not against malice (readers check every value besides). Four
// lanes of xor, rotate and multiply by an odd number over 8-byte words: each step is a bijection of the lane,
// so damage inside one word is always found. About 15 GB/s.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lacuna {

class Checksum {
public:
    static constexpr std::size_t kBlock = 32;

    // The size of every piece but the last must be a multiple of kBlock.
    void add(std::span<const std::byte> piece);
    std::uint64_t value() const;

private:
    std::array<std::uint64_t, 4> m_lanes{1, 2, 3, 4};
    std::uint64_t m_bytes = 0;
};

std::uint64_t checksumOf(std::span<const std::byte> bytes);

} // namespace lacuna
