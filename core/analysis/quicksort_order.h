#pragma once
// The order in which pandas leaves rows of equal keys: its sort is not stable, and sums along the rows depend
// on it. Median-of-three quicksort on row numbers, short parts by insertion, the smaller part first; as numpy
// sorts 64-bit keys without vector instructions.

#include "core/trace/row_poll.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lacuna {

// Row numbers in ascending order of keys. Parts of hostile inputs that would take quadratic time are sorted
// another way. Empty when the poll's job is cancelled. O(n log n).
std::vector<std::uint32_t> quicksortOrder(std::span<const std::int64_t> keys, RowPoll& poll);

} // namespace lacuna
