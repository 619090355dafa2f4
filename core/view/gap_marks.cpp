#include "core/view/gap_marks.h"

#include <algorithm>

namespace lacuna {

namespace {

using Gaps = std::span<const Gap>;

// First gap that ends after t, from position `low` on; `step` is the likely distance.
std::size_t firstEndingAfter(Gaps gaps, std::size_t low, std::int64_t t, std::size_t step) {
    std::size_t high = low;
    while (high < gaps.size() && gaps[high].range.end.v <= t) {
        low = high + 1;
        high = std::min(gaps.size(), high + step);
        step *= 2;
    }
    const auto end = [](const Gap& g) { return g.range.end.v; };
    const Gaps part = gaps.subspan(low, std::max(low, high) - low);
    return static_cast<std::size_t>(std::ranges::upper_bound(part, t, {}, end) - part.begin()) + low;
}

GapMark markOf(const Gap& gap, GapId id, const PixelGrid& grid) {
    GapMark mark;
    mark.gap = id;
    mark.cls = classOf(gap.cause);
    const std::int64_t begin = gap.range.begin.v, end = gap.range.end.v;
    if (grid.isSubNs()) {
        mark.x0 = std::max(0, grid.columnOf(begin));
        mark.x1 = grid.columnAfter(end);
        return mark;
    }
    mark.x0 = grid.columnAfter(begin); // first whole column: begins at or after the gap
    const int last = std::min(grid.columnOf(end), grid.width());
    mark.x1 = std::max(last, 0);
    if (mark.x1 > mark.x0)
        return mark;
    // Between two columns: the one that holds more of it, if it is in view.
    const int left = grid.columnOf(begin);
    mark.overBar = true;
    mark.x0 = left;
    if (left < 0 || (left + 1 < grid.width() &&
                     grid.columnRange(left).end.v - begin < end - grid.columnRange(left).end.v))
        mark.x0 = left + 1;
    mark.x1 = mark.x0 + 1;
    return mark;
}

} // namespace

std::vector<GapMark> gapColumns(Gaps gaps, GapId first, const PixelGrid& grid) {
    std::vector<GapMark> marks;
    const TimeRange view = grid.range();
    if (gaps.empty() || grid.width() == 0)
        return marks;
    const std::int64_t least = grid.longestColumnNs();
    const auto add = [&](std::size_t k) {
        if (gaps[k].range.length().v < least)
            return;
        const GapMark mark = markOf(gaps[k], {first.v + static_cast<std::uint32_t>(k)}, grid);
        if (mark.x0 < grid.width() && mark.x1 > mark.x0)
            marks.push_back(mark);
    };
    std::size_t k = firstEndingAfter(gaps, 0, view.begin.v, gaps.size());
    const std::size_t last = firstEndingAfter(gaps, k, view.end.v - 1, gaps.size());
    const std::size_t end = last < gaps.size() && gaps[last].range.begin < view.end ? last + 1 : last;
    if (grid.isSubNs() || end - k <= grid.edges().size()) {
        for (; k < end; ++k)
            add(k);
        return marks;
    }
    // A gap as long as the longest column holds a column edge: look only there.
    std::size_t guess = 1;
    for (const std::int64_t edge : grid.edges()) {
        if (k < end && gaps[k].range.begin.v > edge)
            continue;
        const std::size_t at = firstEndingAfter(gaps, k, edge, guess);
        guess = std::max<std::size_t>(1, at - k);
        k = at;
        if (k >= end)
            break;
        if (gaps[k].range.begin.v <= edge)
            add(k++);
    }
    return marks;
}

std::optional<GapId> gapAtColumn(Gaps gaps, GapId first, const PixelGrid& grid, int x) {
    if (gaps.empty() || x < 0 || x >= grid.width())
        return std::nullopt;
    const TimeRange column = grid.columnRange(x);
    for (std::size_t k = firstEndingAfter(gaps, 0, column.begin.v, gaps.size());
         k < gaps.size() && gaps[k].range.begin < column.end; ++k) {
        const GapId id{first.v + static_cast<std::uint32_t>(k)};
        const GapMark mark = markOf(gaps[k], id, grid);
        if (gaps[k].range.length().v >= grid.longestColumnNs() && mark.x0 <= x && x < mark.x1)
            return id;
    }
    return std::nullopt;
}

} // namespace lacuna
