#pragma once
// Interned names. Append-only; ids are dense from 0; views stay valid for the life of the pool (also when it
// is moved). intern() is O(length); id 0 is always the empty string. A copy shares the texts and costs some
// 28 bytes a name; both may go on, each for itself, also in different threads.

#include "core/base/ids.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace lacuna {

class StringPool {
public:
    StringPool();
    StringPool(const StringPool& other);
    StringPool& operator=(const StringPool& other) { return *this = StringPool(other); }
    StringPool(StringPool&&) noexcept = default;
    StringPool& operator=(StringPool&&) noexcept = default;
    ~StringPool() = default;
    StringId intern(std::string_view text);
    std::optional<StringId> find(std::string_view text) const;
    // The empty view for an id that is none.
    std::string_view view(StringId id) const { return id ? m_views[id.v] : std::string_view{}; }
    std::size_t size() const { return m_views.size(); }
    std::size_t bytes() const { return m_bytes; }

private:
    friend class TraceArchive;
    std::size_t slotOf(std::string_view text, std::uint64_t hash) const;
    void grow();

    std::vector<std::string_view> m_views;
    std::vector<std::uint32_t> m_hashes;           // upper half of the hash, beside m_views
    std::vector<std::uint32_t> m_slots;            // id + 1, 0 = free; power of two
    std::vector<std::shared_ptr<char[]>> m_blocks; // only the pool that made a block writes to it
    std::size_t m_blockLeft = 0;
    char* m_next = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace lacuna
