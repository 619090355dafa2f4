#pragma once
// One answer in the member `whatif` of the what-if report: a row in the form that contract.md gives it.

#include "core/output/json_writer.h"
#include "core/report/report_table.h"

#include <cstddef>

namespace lacuna {

// {"attributed_ns", "bound_ns", "call_site" or "range", "change", "model_limits": [...], "replay_ns",
//  "step_period_ns": {"predicted", "recorded"} or null}
void writeWhatIfAnswer(const ReportTable& table, std::size_t row, JsonWriter& json);

} // namespace lacuna
