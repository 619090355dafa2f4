#include "core/cache/checksum.h"

#include <bit>
#include <cassert>
#include <cstring>

namespace lacuna {

namespace {

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ull;

std::uint64_t step(std::uint64_t lane, std::uint64_t word) {
    return std::rotl(lane ^ word, 29) * kOdd;
}

} // namespace

void Checksum::add(std::span<const std::byte> piece) {
    assert(m_bytes % kBlock == 0);
    m_bytes += piece.size();
    auto [a, b, c, d] = m_lanes;
    const std::byte* p = piece.data();
    std::size_t left = piece.size();
    std::array<std::uint64_t, 4> words{};
    for (; left >= kBlock; left -= kBlock, p += kBlock) {
        std::memcpy(words.data(), p, kBlock);
        a = step(a, words[0]);
        b = step(b, words[1]);
        c = step(c, words[2]);
        d = step(d, words[3]);
    }
    if (left != 0) {
        words = {};
        std::memcpy(words.data(), p, left);
        a = step(a, words[0]);
        b = step(b, words[1]);
        c = step(c, words[2]);
        d = step(d, words[3]);
    }
    m_lanes = {a, b, c, d};
}

std::uint64_t Checksum::value() const {
    std::uint64_t x = m_bytes;
    for (const std::uint64_t lane : m_lanes) {
        x = step(x, lane);
        x ^= x >> 32;
    }
    return x;
}

std::uint64_t checksumOf(std::span<const std::byte> bytes) {
    Checksum sum;
    sum.add(bytes);
    return sum.value();
}

} // namespace lacuna
