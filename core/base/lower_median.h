#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace lacuna {

// The element (n - 1) / 2 of the sorted values; 0 when there is none. Reorders. O(n).
inline std::int64_t lowerMedian(std::span<std::int64_t> values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace lacuna
