#pragma once
// Pages that `ncu --csv` prints: raw (a column per metric, then a row of units), details and default (a row
// per metric, by label), and per-kernel summaries. What the profiled program prints before, between and after
// is passed over. Source: nsys.md section 10.1 to 10.3, and the captures.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/ncu/ncu_file.h"

namespace lacuna {

class ByteSource;

// Fills kernels, strings, format and notes. Errors: Io, Cancelled, NotRecognised (no header of such a page).
// Rows that cannot be used are noted, the rest is used. One pass, memory as the metrics kept.
Status readNcuCsv(ByteSource& source, NcuFile& into, JobControl& job);

} // namespace lacuna
