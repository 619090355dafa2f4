#pragma once
// A stable sort for what is nearly in order, as rows of a trace are (ranges come by their ends, children
// before what contains them): ascending runs are merged in pairs, and of two runs only the part that overlaps
// is touched. O(n log r) for r runs, near O(n) where each run overlaps its neighbour little.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lacuna {

// Sorts items; before(a, b) is a strict weak order. `spare` is work space, at most as large as the items.
// goOn(n) is called once n more items were moved; the sort ends early, with the items in any order, when it
// answers false.
template <class T, class Before, class GoOn>
bool mergeRuns(std::vector<T>& items, std::vector<T>& spare, const Before& before, const GoOn& goOn) {
    std::vector<std::size_t> runs; // where each begins, and the end
    for (std::size_t i = 0; i < items.size(); ++i)
        if (i == 0 || before(items[i], items[i - 1]))
            runs.push_back(i);
    runs.push_back(items.size());
    if (!goOn(items.size()))
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
                spare.assign(left, middle);
                auto into = left, from = middle;
                auto held = spare.begin();
                while (held != spare.end() && from != right)
                    *into++ = before(*from, *held) ? *from++ : *held++;
                std::copy(held, spare.end(), into);
                if (!goOn(static_cast<std::size_t>(right - left)))
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
