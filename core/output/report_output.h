#pragma once
// A report as CSV, JSON or a table for terminals.

#include "core/base/job_control.h"
#include "core/output/text_sink.h"
#include "core/report/report_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lacuna {

// Numbers of the rows to write, in that order (core/report/arranged_rows.h); none: all, as the table has
// them.
using WrittenRows = std::optional<std::span<const std::uint32_t>>;

// Fields are quoted as the vendor's reports do: where they hold a comma, a quote or a line end.
// A cancelled job ends each of these early; the caller must not pass the output on as complete.
void writeReportCsv(const ReportTable& table, TextSink& sink, JobControl& job, WrittenRows rows = {});
// {"columns": [titles], "report": name, "rows": [{title: value}]}; empty cells are null. "whatif" has its
// answers once more under that name (whatif_json.h).
void writeReportJson(std::string_view name, const ReportTable& table, TextSink& sink, JobControl& job,
                     WrittenRows rows = {});
// Lines are kept to `width` characters as far as texts can be shortened (in the middle).
void writeReportTable(const ReportTable& table, TextSink& sink, std::size_t width, JobControl& job,
                      WrittenRows rows = {});

} // namespace lacuna
