#pragma once
// The rows that a search found, with the questions that a timeline asks of them: what is next in time, is
// anything found among these rows, where in the trace do they stand. All O(strips log hits) or better.

#include "core/trace/trace.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lacuna {

struct NameHits {
    StringId name;
    std::uint64_t count = 0;
};

class SearchHits {
public:
    static constexpr std::size_t kColumns = 4'096; // of the picture of the whole trace

    SearchHits() = default;
    // rows: ascending, each once. O(rows + strips log rows).
    SearchHits(std::shared_ptr<const Trace> trace, std::vector<EventId> rows);

    const std::shared_ptr<const Trace>& trace() const { return m_trace; }
    // In the order of the trace: by lane, strip, begin.
    std::span<const EventId> rows() const { return m_rows; }
    std::size_t size() const { return m_rows.size(); }
    bool isEmpty() const { return m_rows.empty(); }
    // Most frequent first, ties by id.
    std::span<const NameHits> names() const { return m_names; }

    bool holds(EventId event) const;
    // Whether one of the rows [first, first + count) is among them. O(log hits).
    bool anyAmong(EventId first, std::uint32_t count) const;

    // Order in time: by begin, then by row. The first hit after a row (direction 1), or the last one before
    // (-1); `from` need not be a hit.
    std::optional<EventId> beside(EventId from, int direction) const;
    // The first hit that begins at t or later, the last one that begins before t.
    std::optional<EventId> atOrAfter(TimeNs t) const;
    std::optional<EventId> before(TimeNs t) const;
    // How many hits come before a row in that order: the place of a hit, from 0.
    std::uint64_t placeOf(EventId event) const;

    // The first hits in time, at most that many. O(hits + limit log limit).
    std::vector<EventId> firstInTime(std::size_t limit) const;

    // Which of kColumns equal parts of Trace::window() have a hit that begins there.
    const std::bitset<kColumns>& columns() const { return m_columns; }

private:
    struct StripHits { // [first, last) of m_rows
        std::size_t first = 0, last = 0;
    };
    struct Place {
        std::int64_t begin = 0;
        std::uint32_t row = 0;
    };
    std::size_t firstNotBefore(const StripHits& strip, const Place& place) const;
    std::optional<EventId> firstFrom(const Place& place) const;
    std::optional<EventId> lastBefore(const Place& place) const;
    void countNames();
    void cutIntoStrips();
    void fillColumns();

    std::shared_ptr<const Trace> m_trace;
    std::vector<EventId> m_rows;
    std::vector<NameHits> m_names;
    std::vector<StripHits> m_strips;
    std::bitset<kColumns> m_columns;
};

} // namespace lacuna
