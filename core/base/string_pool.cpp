#include "core/base/string_pool.h"

#include <algorithm>
#include <cstring>

namespace lacuna {

namespace {

constexpr std::size_t kBlock = std::size_t{256} << 10;

// Multiply-xor over 8-byte words: kernel names are long, so speed per byte counts more than perfect mixing.
std::uint64_t hashOf(std::string_view text) {
    std::uint64_t x = text.size() * 0x9E3779B97F4A7C15ull;
    const char* p = text.data();
    std::size_t left = text.size();
    const auto mix = [&x](std::uint64_t w) {
        x = (x ^ w) * 0xff51afd7ed558ccdull;
        x ^= x >> 32;
    };
    for (; left >= 8; left -= 8, p += 8) {
        std::uint64_t w = 0;
        std::memcpy(&w, p, 8);
        mix(w);
    }
    std::uint64_t w = 0;
    if (left != 0)
        std::memcpy(&w, p, left);
    mix(w);
    return x ^ (x >> 29);
}

} // namespace

StringPool::StringPool() : m_slots(1 << 10, 0) {
    intern({});
}

StringPool::StringPool(const StringPool& other)
    : m_views(other.m_views), m_hashes(other.m_hashes), m_slots(other.m_slots), m_blocks(other.m_blocks),
      m_bytes(other.m_bytes) {} // its next text starts a block of its own

std::size_t StringPool::slotOf(std::string_view text, std::uint64_t hash) const {
    const std::size_t mask = m_slots.size() - 1;
    const auto kept = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t i = kept & mask;; i = (i + 1) & mask) {
        const std::uint32_t stored = m_slots[i];
        if (stored == 0 || (m_hashes[stored - 1] == kept && m_views[stored - 1] == text))
            return i;
    }
}

StringId StringPool::intern(std::string_view text) {
    const std::uint64_t hash = hashOf(text);
    std::size_t slot = slotOf(text, hash);
    if (m_slots[slot] != 0)
        return {m_slots[slot] - 1};
    if ((m_views.size() + 1) * 2 > m_slots.size()) {
        grow();
        slot = slotOf(text, hash);
    }
    if (text.size() > m_blockLeft) {
        const std::size_t size = std::max(kBlock, text.size());
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(size));
        m_next = m_blocks.back().get();
        m_blockLeft = size;
    }
    if (!text.empty())
        std::memcpy(m_next, text.data(), text.size());
    m_views.emplace_back(m_next, text.size());
    m_hashes.push_back(static_cast<std::uint32_t>(hash >> 32));
    m_next += text.size();
    m_blockLeft -= text.size();
    m_bytes += text.size();
    m_slots[slot] = static_cast<std::uint32_t>(m_views.size());
    return {static_cast<std::uint32_t>(m_views.size() - 1)};
}

std::optional<StringId> StringPool::find(std::string_view text) const {
    const std::uint32_t stored = m_slots[slotOf(text, hashOf(text))];
    if (stored == 0)
        return std::nullopt;
    return StringId{stored - 1};
}

void StringPool::grow() {
    m_slots.assign(m_slots.size() * 2, 0);
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t k = 0; k < m_hashes.size(); ++k) { // no text is read again, and none is there twice
        std::size_t slot = m_hashes[k] & mask;
        while (m_slots[slot] != 0)
            slot = (slot + 1) & mask;
        m_slots[slot] = static_cast<std::uint32_t>(k + 1);
    }
}

} // namespace lacuna
