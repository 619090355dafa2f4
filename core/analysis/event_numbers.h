#pragma once
// Numbers of some of a trace's events: 8 bytes each, in one block that is filled and freed at once, where a
// hash table has a node of its own for each.

#include "core/base/column.h"
#include "core/base/ids.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

namespace lacuna {

class EventNumbers {
public:
    void add(EventId event, std::uint32_t number) { m_entries.push_back({event, number}); }
    // Once, after all were added. False when the job was cancelled. O(n log n).
    bool finish(RowPoll& poll) {
        return sortRows(m_entries, poll, [](const Entry& a, const Entry& b) { return a.event < b.event; });
    }
    // Of several the one added last; none for none. O(log n).
    std::optional<std::uint32_t> find(EventId event) const {
        const auto after = std::upper_bound(m_entries.begin(), m_entries.end(), event,
                                            [](EventId e, const Entry& entry) { return e < entry.event; });
        if (!event || after == m_entries.begin() || std::prev(after)->event != event)
            return std::nullopt;
        return std::prev(after)->number;
    }

private:
    struct Entry {
        EventId event;
        std::uint32_t number = 0;
    };
    Column<Entry> m_entries;
};

} // namespace lacuna
