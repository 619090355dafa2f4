#pragma once
// The rows of a trace in the order of its file, for writers that walk the file again.

#include "core/trace/trace.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace lacuna {

class SourceRows {
public:
    explicit SourceRows(const Trace& trace) : m_source(trace.events().source), m_rows(m_source.size()) {
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            m_rows[i] = EventId{static_cast<std::uint32_t>(i)};
        std::sort(m_rows.begin(), m_rows.end(),
                  [this](EventId a, EventId b) { return m_source[a.v] < m_source[b.v]; });
    }
    const std::vector<EventId>& all() const { return m_rows; }

    // The row at a place of the file; places must be asked in ascending order. None where the element there
    // made no row.
    std::optional<EventId> at(std::uint64_t source) {
        while (m_next < m_rows.size() && m_source[m_rows[m_next].v] < source)
            ++m_next;
        const bool isThere = m_next < m_rows.size() && m_source[m_rows[m_next].v] == source;
        return isThere ? std::optional(m_rows[m_next]) : std::nullopt;
    }
    void rewind() { m_next = 0; }

private:
    const Column<std::uint64_t>& m_source;
    std::vector<EventId> m_rows;
    std::size_t m_next = 0;
};

} // namespace lacuna
