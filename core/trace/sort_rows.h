#pragma once
// Stable sort of rows that a job can stop. Rows of a trace are nearly in order, which it makes use of.

#include "core/trace/merge_runs.h"
#include "core/trace/row_poll.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lacuna {

// False when the job was cancelled; the rows are in any order then. O(n log n).
template <class T, class Before> bool sortRows(std::vector<T>& rows, RowPoll& poll, const Before& before) {
    std::vector<T> spare;
    return mergeRuns(rows, spare, before,
                     [&](std::size_t moved) { return poll.tick(static_cast<std::uint32_t>(moved)); });
}

} // namespace lacuna
