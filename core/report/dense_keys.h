#pragma once
// Numbers from 0 for keys of several whole numbers, in the order in which they are first seen.

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lacuna {

template <std::size_t N> class DenseKeys {
public:
    using Key = std::array<std::int64_t, N>;

    std::uint32_t of(const Key& key) {
        if (!m_keys.empty() && key == m_keys[m_last]) // rows of one kind come in runs
            return m_last;
        const auto [at, fresh] = m_numbers.try_emplace(key, static_cast<std::uint32_t>(m_keys.size()));
        if (fresh)
            m_keys.push_back(key);
        m_last = at->second;
        return m_last;
    }
    const Key& key(std::uint32_t number) const { return m_keys[number]; }
    std::size_t size() const { return m_keys.size(); }

private:
    struct Hash {
        std::size_t operator()(const Key& key) const noexcept {
            std::uint64_t hash = 0x9e3779b97f4a7c15u;
            for (const std::int64_t part : key) {
                hash = (hash ^ static_cast<std::uint64_t>(part)) * 0xff51afd7ed558ccdu;
                hash ^= hash >> 32;
            }
            return hash;
        }
    };
    std::unordered_map<Key, std::uint32_t, Hash> m_numbers;
    std::vector<Key> m_keys;
    std::uint32_t m_last = 0;
};

} // namespace lacuna
