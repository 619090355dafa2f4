#pragma once
// Huge pages behind vectors that live in malloc's memory: their first touch is five times cheaper. For work
// space and for vectors that are no columns (those have an allocator of their own, column.h).

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace lacuna {

// Advice for the whole huge pages inside a block that is not touched yet; a hint that the kernel may refuse.
void wantHugePages(void* block, std::size_t bytes);

// Of an empty vector.
template <class T> void reserveHuge(std::vector<T>& items, std::size_t count) {
    if (count <= items.capacity())
        return;
    items.reserve(count);
    wantHugePages(items.data(), items.capacity() * sizeof(T));
}

// push_back() whose growth asks for huge pages.
template <class T> void pushHuge(std::vector<T>& items, T value) {
    if (items.size() == items.capacity()) {
        constexpr std::size_t kFirst = 16;
        std::vector<T> grown;
        reserveHuge(grown, std::max(kFirst, 2 * items.size()));
        grown.assign(items.begin(), items.end());
        items = std::move(grown);
    }
    items.push_back(std::move(value));
}

} // namespace lacuna
