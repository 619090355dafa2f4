#pragma once
// A stable sort for what is nearly in order, as rows of a trace are (ranges come by their ends, children
// before what contains them): ascending runs are merged in pairs, and of two runs only the part that overlaps
// is touched. O(n log r) for r runs, near O(n) where each run overlaps its neighbour little.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lacuna {

// Of one long merge; a multiple of what a poll counts.
inline constexpr std::size_t kItemsPerPart = std::size_t{1} << 14;

// [left, middle) and [middle, right), each in order. What goOn() stops keeps every item.
template <class Place, class Spare, class Before, class GoOn>
bool mergeTwoRuns(Place left, Place middle, Place right, Spare& spare, const Before& before,
                  const GoOn& goOn) {
    const auto all = static_cast<std::size_t>(right - left);
    std::size_t told = 0;
    const auto tell = [&](std::size_t moved) {
        if (moved - told < kItemsPerPart)
            return true;
        const std::size_t more = moved - told;
        told = moved;
        return goOn(more);
    };
    spare.clear();
    spare.reserve(static_cast<std::size_t>(middle - left));
    for (Place part = left; part != middle;) {
        const Place end = part + std::min(static_cast<std::ptrdiff_t>(kItemsPerPart), middle - part);
        spare.insert(spare.end(), part, end);
        part = end;
        if (!tell(spare.size()))
            return false;
    }
    Place into = left, from = middle;
    auto held = spare.begin();
    bool goesOn = true;
    while (goesOn && held != spare.end() && from != right) {
        for (std::size_t n = 0; n < kItemsPerPart && held != spare.end() && from != right; ++n)
            *into++ = before(*from, *held) ? *from++ : *held++;
        goesOn = tell(spare.size() + static_cast<std::size_t>(from - middle));
    }
    std::copy(held, spare.end(), into);
    return goesOn && goOn(all - told);
}

// Sorts items, a vector of any allocator; before(a, b) is a strict weak order. `spare`, a vector too, is work
// space, at most as large as the items.
// goOn(n) is called once n more items were moved, which are some 16,000 at most; the sort ends early, with
// the items in any order, when it answers false.
template <class Items, class Spare, class Before, class GoOn>
bool mergeRuns(Items& items, Spare& spare, const Before& before, const GoOn& goOn) {
    std::vector<std::size_t> runs; // where each begins, and the end
    std::size_t untold = 0;
    for (std::size_t i = 0; i < items.size(); ++i, ++untold) {
        if (untold == kItemsPerPart) {
            if (!goOn(untold))
                return false;
            untold = 0;
        }
        if (i == 0 || before(items[i], items[i - 1]))
            runs.push_back(i);
    }
    runs.push_back(items.size());
    if (!goOn(untold))
        return false;
    while (runs.size() > 2) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
            const std::size_t begin = runs[i];
            if (i + 2 < runs.size()) {
                const auto middle = items.begin() + static_cast<std::ptrdiff_t>(runs[i + 1]);
                const auto end = items.begin() + static_cast<std::ptrdiff_t>(runs[i + 2]);
                // What lies before the right run's first item, or behind the left run's last, stays.
                const auto left = std::upper_bound(items.begin() + static_cast<std::ptrdiff_t>(begin), middle,
                                                   *middle, before);
                const auto right = std::lower_bound(middle, end, *(middle - 1), before);
                if (!mergeTwoRuns(left, middle, right, spare, before, goOn))
                    return false;
            }
            runs[kept++] = begin;
        }
        runs[kept++] = items.size();
        runs.resize(kept);
    }
    return true;
}

} // namespace lacuna
