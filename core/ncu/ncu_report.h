#pragma once
// Nsight Compute's own report, .ncu-rep: the documented part of its layout (nsys.md section 10.4).
//   file   "NVR\0", uint32 size, FileHeader; then blocks to the end
//   block  uint32 size, BlockHeader {1 sources, 2 results, 4 string table {1 texts}, 5 payload size, 7 range
//          results}; then the payload: each item a uint32 size and a message
//   result {5 mangled name, 6 function, 7 demangled name, 10 grid, 11 block, 13 metric (repeated), 22
//   context,
//          23 stream}; field 1 is the process id (seen in captures of 2025.3, beside the CSV)
//   metric {1 index into the strings of all blocks so far, 2 value {1 text, 2 float, 3 double, 4 uint32,
//          5 uint64}, 3 instances}
// Everything else (sections, rules, source code, instances, sampled series) is passed over by its length.
// Metrics named "group:…" and "breakdown:…" are lists of other metrics and no values.

#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/ncu/ncu_file.h"

#include <string_view>

namespace lacuna {

class ByteSource;

bool looksLikeNcuReport(std::string_view head);

// One pass over the file; memory as the metrics kept. Damage ends the reading with a note and setPartial();
// the results before it are used. Errors: Io, Cancelled, NotRecognised (magic), Malformed or Truncated where
// no result could be read.
Status readNcuReport(ByteSource& source, NcuFile& into, JobControl& job);

} // namespace lacuna
