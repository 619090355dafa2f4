#pragma once
// What a person made of the lanes: which are on top, hidden, in which order, how high and how named. Lanes
// and groups are told by TimelineRow::key inside one document. From one trace to the next numbers of
// processes, threads and streams change, so what is remembered for a project is told by pattern instead
// (lane_patterns.h).

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct TimelineRow;

struct LanePlan {
    std::vector<std::string> pinned; // lanes and groups on top, in this order
    std::set<std::string> unpinned;  // lanes that are on top by themselves (steps, ranges) and shall not be
    std::set<std::string> hidden;    // lanes and groups
    std::vector<std::string> order;  // where a level (lanes of a group, groups, pinned ones) was reordered
    std::map<std::string, int> percent;       // height, of the usual one; absent: 100
    std::map<std::string, std::string> names; // given by the user
    std::string filter;                       // text that a lane's or its group's title holds; not remembered

    bool isEmpty() const { return *this == LanePlan{}; }
    friend bool operator==(const LanePlan&, const LanePlan&) = default;
};

inline constexpr int kLeastPercent = 50, kMostPercent = 400;

// `defaults` in the order of `wanted`: what `wanted` does not name follows what it follows in `defaults` (or
// comes first). Keys are unique in either. O(n log n).
std::vector<std::size_t> orderedLike(const std::vector<std::string>& defaults,
                                     const std::vector<std::string>& wanted);

// Rows among which a row can be moved: pinned ones, groups and lanes without a group, or the lanes of its
// group; in the order shown. Empty for notes and unknown keys. O(rows).
std::vector<std::size_t> siblingsOf(std::span<const TimelineRow> rows, std::string_view key);

// Where a row that is dragged to a content y would stand: before the n-th of its siblings, and the content y
// of that place. A group counts with its lanes. n is none for rows that cannot be moved.
struct DropPlace {
    std::optional<std::size_t> n;
    std::int32_t y = 0;
};
DropPlace dropPlaceOf(std::span<const TimelineRow> rows, std::string_view key, std::int32_t y);

// The plan with a row moved before the n-th of its siblings (their count: to the end). Unchanged when it
// stays.
LanePlan movedTo(const LanePlan& plan, std::span<const TimelineRow> rows, std::string_view key,
                 std::size_t n);

} // namespace lacuna
