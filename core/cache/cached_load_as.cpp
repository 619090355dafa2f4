#include "core/cache/cached_load_as.h"

#include <utility>

namespace lacuna {

Result<CachedLoad> loadCachedAs(const std::filesystem::path& file, const ReadAs& how, JobControl& job,
                                const LoadOptions& options) {
    if (how == ReadAs{})
        return loadCached(file, job, options);
    auto loaded = loadTraceAs(file, how, job, options);
    if (!loaded)
        return loaded.error();
    CachedLoad result;
    static_cast<LoadedTrace&>(result) = *std::move(loaded);
    return result;
}

} // namespace lacuna
