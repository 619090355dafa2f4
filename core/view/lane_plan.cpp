#include "core/view/lane_plan.h"

#include "core/view/row_layout.h"

#include <algorithm>

namespace lacuna {

std::vector<std::size_t> orderedLike(const std::vector<std::string>& defaults,
                                     const std::vector<std::string>& wanted) {
    std::map<std::string_view, std::size_t> placeOf;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        placeOf.emplace(wanted[i], i);
    // Each known key leads those after it that are not known; the very first ones lead everything.
    struct Run {
        std::size_t place = 0, first = 0, count = 0;
    };
    std::vector<Run> runs{{0, 0, 0}};
    for (std::size_t i = 0; i < defaults.size(); ++i) {
        if (const auto at = placeOf.find(defaults[i]); at != placeOf.end())
            runs.push_back({at->second + 1, i, 0});
        ++runs.back().count;
    }
    std::ranges::stable_sort(runs, {}, &Run::place);
    std::vector<std::size_t> order;
    order.reserve(defaults.size());
    for (const Run& run : runs)
        for (std::size_t i = 0; i < run.count; ++i)
            order.push_back(run.first + i);
    return order;
}

std::vector<std::size_t> siblingsOf(std::span<const TimelineRow> rows, std::string_view key) {
    const auto at = std::ranges::find(rows, key, &TimelineRow::key);
    if (at == rows.end() || at->kind == RowKind::Note)
        return {};
    const auto place = static_cast<std::size_t>(at - rows.begin());
    const auto isOfLevel = [&](const TimelineRow& row) {
        return row.kind != RowKind::Note && row.indent == at->indent && row.pinned == at->pinned;
    };
    std::size_t first = 0, end = rows.size();
    if (at->indent > 0) { // between the heads around it
        for (first = place; rows[first].indent > 0;)
            --first;
        for (end = place + 1; end < rows.size() && rows[end].indent > 0;)
            ++end;
    }
    std::vector<std::size_t> level;
    for (std::size_t i = first; i < end; ++i)
        if (isOfLevel(rows[i]))
            level.push_back(i);
    return level;
}

DropPlace dropPlaceOf(std::span<const TimelineRow> rows, std::string_view key, std::int32_t y) {
    DropPlace place;
    for (const std::size_t sibling : siblingsOf(rows, key)) {
        std::size_t last = sibling;
        while (last + 1 < rows.size() && rows[last + 1].kind != RowKind::Note &&
               rows[last + 1].indent > rows[sibling].indent)
            ++last;
        const std::int32_t end = rows[last].y + rows[last].height;
        if (!place.n)
            place = {0, rows[sibling].y};
        if (y < rows[sibling].y + (end - rows[sibling].y) / 2)
            break;
        place = {*place.n + 1, end};
    }
    return place;
}

LanePlan movedTo(const LanePlan& plan, std::span<const TimelineRow> rows, std::string_view key,
                 std::size_t n) {
    std::vector<std::string> level;
    std::size_t from = 0;
    for (const std::size_t row : siblingsOf(rows, key)) {
        if (rows[row].key == key)
            from = level.size();
        level.push_back(rows[row].key);
    }
    n = std::min(n, level.size());
    if (level.empty() || n == from || n == from + 1)
        return plan;
    const std::string moved = level[from];
    level.erase(level.begin() + static_cast<std::ptrdiff_t>(from));
    level.insert(level.begin() + static_cast<std::ptrdiff_t>(n > from ? n - 1 : n), moved);
    LanePlan next = plan;
    std::erase_if(next.order,
                  [&](const std::string& old) { return std::ranges::find(level, old) != level.end(); });
    next.order.insert(next.order.end(), level.begin(), level.end());
    return next;
}

} // namespace lacuna
