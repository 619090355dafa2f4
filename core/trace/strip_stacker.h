#pragma once
// Assigns each row of a lane to the shallowest strip where it fits below the row that contains it.
// Well-nested input gives the call depth; input that overlaps without nesting (async copies, clock skew)
// spills to a deeper strip instead of being drawn on top, and comes back up as soon as there is room. Rows
// arrive by (begin ascending, end descending). O(log strips) a row, also for hostile input in which
// everything overlaps.

#include <cstdint>
#include <vector>

namespace lacuna {

class StripStacker {
public:
    // A row that outlives its container by up to toleranceNs still counts as contained (rounding in host
    // rows).
    // mayLackReturn: rows are frames of one call stack, so that one which outlives its caller lacks its
    // return (chrome_json.md fault 14): what begins after the caller's end is not inside of it.
    explicit StripStacker(std::int64_t toleranceNs, bool mayLackReturn = false)
        : m_toleranceNs(toleranceNs), m_mayLackReturn(mayLackReturn) {}
    std::uint32_t place(std::int64_t begin, std::int64_t end);
    std::uint32_t strips() const { return m_strips; }

private:
    struct Open {
        std::int64_t end;
        std::uint32_t strip;
    };
    std::uint32_t firstFree(std::uint32_t from, std::int64_t begin);
    void setEnd(std::uint32_t strip, std::int64_t end);

    std::int64_t m_toleranceNs;
    bool m_mayLackReturn;
    std::vector<Open> m_open;
    std::vector<std::int64_t> m_tree; // minimum of the strips' last ends, leaves from m_leaves
    std::uint32_t m_leaves = 0, m_strips = 0;
};

} // namespace lacuna
