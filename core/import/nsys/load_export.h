#pragma once
// Reads all tables of an opened Nsight Systems export into a builder.

#include "core/import/detail/sqlite_db.h"
#include "core/import/nsys/recognise.h"
#include "core/trace/trace_builder.h"

namespace lacuna::nsys {

// progressBytes: what the job is to be advanced by in all. threads: 0 = as many as the machine has.
Status loadExport(SqliteDb& db, std::uint64_t progressBytes, TraceBuilder& into, JobControl& job,
                  unsigned threads);

} // namespace lacuna::nsys
