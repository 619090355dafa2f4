#pragma once
// Rows that are collected one by one, without a count beforehand.

#include "core/base/column.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <cstddef>

namespace lacuna {

// push_back() whose growth is copied in parts, with a poll after each: a column of a hundred MB is copied at
// one row else. Once the poll has answered false the rows are of no use.
template <class T> void pushRow(Column<T>& rows, const T& row, RowPoll& poll) {
    if (rows.size() == rows.capacity()) {
        constexpr std::size_t kFirst = 64, kPart = std::size_t{1} << 14;
        Column<T> grown;
        grown.reserve(std::max(kFirst, 2 * rows.size()));
        for (std::size_t from = 0; from < rows.size(); from += kPart) {
            const std::size_t count = std::min(kPart, rows.size() - from);
            const auto part = rows.begin() + static_cast<std::ptrdiff_t>(from);
            grown.insert(grown.end(), part, part + static_cast<std::ptrdiff_t>(count));
            if (!poll.tick(static_cast<std::uint32_t>(count)))
                break;
        }
        rows.swap(grown);
    }
    rows.push_back(row);
}

} // namespace lacuna
