#pragma once
// How the columns of a report are shown to people: one unit a column, digits in groups, right-aligned. What
// is copied and exported has the exact figures instead (core/output/report_output.h).

#include "core/base/job_control.h"
#include "core/base/text_format.h"
#include "core/report/report_table.h"

#include <QString>

#include <optional>
#include <vector>

namespace lacuna::ui {

struct ColumnLook {
    QString title; // "Total Time, ms"
    bool isNumber = false;
    bool isTime = false; // also decimals of ns, as averages are
    TimeUnit unit = TimeUnit::Ns;
};

// The unit of a time column is that of its largest value. O(cells of time columns); none when the job was
// cancelled.
std::optional<std::vector<ColumnLook>> columnLooks(const ReportTable& table, JobControl& job);

// Never "0" for what is not 0; empty for an empty cell.
QString shownCell(const ReportTable& table, const ColumnLook& look, std::size_t row, std::size_t column);
// All digits with their unit, for tips: "2 490 986 ns".
QString exactCell(const ReportTable& table, std::size_t row, std::size_t column);

} // namespace lacuna::ui
