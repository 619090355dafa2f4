#pragma once
// Details of a slice that a Chrome trace writes as two events, begin and end. A detail reader gives what it
// finds behind the begin as its last fields, "end.ts" and "end.args.NAME": those of an end event of the
// thread. Whether that is the end of this row, its time tells.

#include "core/import/importer.h"

#include <cstdint>

namespace lacuna {

// Merges the fields of the end into those of the begin: arguments of both belong together, and those of the
// end win (chrome_json.md 2.2). `endNs`: end of the row in the file's own time, whose unit is usually
// microseconds. The end of another row is left out.
void mergeSliceEnd(EventDetails& details, std::int64_t endNs, bool timesAreNs = false);

} // namespace lacuna
