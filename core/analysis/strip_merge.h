#pragma once
// Merges the strips of one thread into nesting order, row by row: by begin, longer rows first, then as in the
// file. A tournament of the strips' next rows gives each row in O(log strips), and nothing is copied: the
// rows of a thread may be most of the trace.

#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace lacuna {

class StripMerge {
public:
    explicit StripMerge(const EventTable& events) : m_events(&events) {}

    // Begins anew, with no strip.
    void clear();
    // Rows [first, last) of one strip, sorted by begin. Rows of zero length that share a begin may stand in
    // another order than nesting wants: such strips are sorted here.
    void add(EventId first, EventId last);
    // After the last add().
    void start();
    // The next row; false at the end.
    bool next(EventId& row);

    // Whether a comes before b.
    bool before(EventId a, EventId b) const;

private:
    struct Run {
        std::int64_t begin = 0; // of the next row
        EventId event;          // the next row; none at the end of the run
        std::uint32_t at = 0, last = 0;
        std::vector<EventId> sorted; // where the rows of the strip are not in order: at and last count here
    };
    void step(Run& run) const;
    bool wins(std::uint32_t a, std::uint32_t b) const;
    void replay(std::uint32_t run);

    const EventTable* m_events;
    std::vector<Run> m_runs;
    std::vector<std::uint32_t> m_losers; // of every match; [0]: the run with the next row
};

} // namespace lacuna
