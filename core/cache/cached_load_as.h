#pragma once
// loadCached() of a file that may have to be read otherwise than usual.

#include "core/cache/cached_load.h"
#include "core/import/read_as.h"

namespace lacuna {

// As loadCached(), or as loadTraceAs() where another reading is asked for: such a trace is not kept.
Result<CachedLoad> loadCachedAs(const std::filesystem::path& file, const ReadAs& how, JobControl& job,
                                const LoadOptions& options);

} // namespace lacuna
