#pragma once
// What `lacuna check` prints: the account of the rows, what the capture holds, and every note with what to do
// about it.

#include "core/document/completeness.h"
#include "core/output/text_sink.h"
#include "core/trace/trace.h"

#include <string>

namespace lacuna {

// {"capture": {"holds": [{"get", "held": true|false|null, "name", "title"}],
//              "software": [{"name", "version": text or null}], "tables_not_shown": [...]},
//  "complete", "file", "notes": [as in summary], "rows": {as in summary}}
void writeCheckJson(const Trace& trace, const Completeness& completeness, const std::string& sha256,
                    TextSink& sink);
// One sentence: whether anything is missing or wrong.
std::string checkVerdict(const Trace& trace, const Completeness& completeness);
void writeCheckText(const Trace& trace, const Completeness& completeness, TextSink& sink);

} // namespace lacuna
