#pragma once
// Whole numbers, 32 bits each until one needs more. kEmpty stands for "no value". Grows without copying what
// is there: a table of three million rows would copy all its columns at the same row.

#include "core/base/column.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace lacuna {

class NarrowColumn {
public:
    static constexpr std::int64_t kEmpty = std::numeric_limits<std::int64_t>::min();

    NarrowColumn() = default;
    // That many empty values.
    explicit NarrowColumn(std::size_t size) { m_narrow.append(size, kNarrowEmpty); }
    NarrowColumn(const NarrowColumn& other)
        : m_narrow(other.m_narrow.deepCopy()), m_wide(other.m_wide.deepCopy()), m_isWide(other.m_isWide) {}
    NarrowColumn(NarrowColumn&&) noexcept = default;
    NarrowColumn& operator=(const NarrowColumn& other) { return *this = NarrowColumn(other); }
    NarrowColumn& operator=(NarrowColumn&&) noexcept = default;
    ~NarrowColumn() = default;

    std::size_t size() const { return m_isWide ? m_wide.size() : m_narrow.size(); }
    std::int64_t at(std::size_t row) const {
        if (m_isWide)
            return m_wide[row];
        return m_narrow[row] == kNarrowEmpty ? kEmpty : m_narrow[row];
    }
    void push(std::int64_t v) {
        widenFor(v);
        if (m_isWide)
            m_wide.push_back(v);
        else
            m_narrow.push_back(v == kEmpty ? kNarrowEmpty : static_cast<std::int32_t>(v));
    }
    void set(std::size_t row, std::int64_t v) {
        widenFor(v);
        if (m_isWide)
            m_wide[row] = v;
        else
            m_narrow[row] = v == kEmpty ? kNarrowEmpty : static_cast<std::int32_t>(v);
    }

private:
    static constexpr std::int32_t kNarrowEmpty = std::numeric_limits<std::int32_t>::min();

    void widenFor(std::int64_t v) {
        if (m_isWide || v == kEmpty || (v > kNarrowEmpty && v <= std::numeric_limits<std::int32_t>::max()))
            return;
        for (std::size_t row = 0; row < m_narrow.size(); ++row)
            m_wide.push_back(at(row));
        m_narrow.clear();
        m_isWide = true;
    }

    ChunkedColumn<std::int32_t> m_narrow;
    ChunkedColumn<std::int64_t> m_wide;
    bool m_isWide = false;
};

} // namespace lacuna
