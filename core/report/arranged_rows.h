#pragma once
// Rows of a report in the order and the selection that somebody looks at them in. The table stays as it is:
// it is shared with the job that exports it.

#include "core/base/job_control.h"
#include "core/report/report_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lacuna {

struct RowArrangement {
    std::optional<std::size_t> column; // to sort by; none: the order of the report
    bool isDescending = false;
    // Words between blanks; each must be in some text of the row, in any case of ASCII letters. A word that
    // begins with a digit may be in a number as well, as cellText() writes it.
    std::string filter;
    friend bool operator==(const RowArrangement&, const RowArrangement&) = default;
};

// Numbers of the table's rows. Empty cells are last in either direction, ties as in the table. None when the
// job was cancelled. O(rows x (words + log rows)); 16 bytes a row while it sorts.
std::optional<std::vector<std::uint32_t>> arrangeRows(const ReportTable& table, const RowArrangement& wanted,
                                                      JobControl& job);

} // namespace lacuna
