#pragma once
// Stable sort of rows that a job can stop. Rows of a trace are nearly in order, which it makes use of.

#include "core/base/column.h"
#include "core/trace/merge_runs.h"
#include "core/trace/row_poll.h"

#include <cstddef>
#include <cstdint>

namespace lacuna {

// Of a vector or a Column. False when the job was cancelled; the rows are in any order then. O(n log n).
template <class Rows, class Before> bool sortRows(Rows& rows, RowPoll& poll, const Before& before) {
    WorkColumn<typename Rows::value_type> spare;
    return mergeRuns(rows, spare, before,
                     [&](std::size_t moved) { return poll.tick(static_cast<std::uint32_t>(moved)); });
}

} // namespace lacuna
