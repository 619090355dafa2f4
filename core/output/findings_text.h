#pragma once
// The report `findings` as paragraphs for terminals.

#include "core/output/text_sink.h"
#include "core/report/report_table.h"

#include <cstddef>

namespace lacuna {

// One block a finding: title and state, then its statements, with times of the evidence that the timeline
// opens. The table is that of the report, unsorted or sorted.
void writeFindingsText(const ReportTable& table, TextSink& sink, std::size_t width);

} // namespace lacuna
