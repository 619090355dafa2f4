#pragma once
// Huge pages behind vectors that live in malloc's memory: their first touch is five times cheaper. For work
// space and for vectors that are no columns (those have an allocator of their own, column.h).

#include <cstddef>
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

} // namespace lacuna
