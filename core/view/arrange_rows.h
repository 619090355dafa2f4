#pragma once
// A plan put onto rows that stand in their usual order: the user's order, heights and names. What is hidden,
// on top or filtered out is decided before, where rows are made (row_layout.cpp).

#include "core/view/row_layout.h"

#include <cstddef>
#include <vector>

namespace lacuna {

// Rows as the plan wants them, with y from 0. `oldIndex`: for each new row its index among the given ones.
// O(rows log rows).
std::vector<TimelineRow> arrangedRows(std::vector<TimelineRow> rows, const LanePlan& plan,
                                      std::vector<std::size_t>& oldIndex);

} // namespace lacuna
