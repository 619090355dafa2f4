#include "core/cache/cached_load.h"

#include "core/cache/index_cache.h"
#include "core/import/open_details.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace lacuna {

namespace {

// Opens the source when it is asked for the first time: unpacking an archive may take long.
class LazyDetails final : public DetailReader {
public:
    LazyDetails(std::filesystem::path file, LoadOptions options)
        : m_file(std::move(file)), m_options(std::move(options)) {}

    Result<EventDetails> read(SourceRef source) override {
        if (m_details == nullptr) {
            auto details = openDetails(m_file, builtinImporters(), m_options);
            if (!details)
                return details.error();
            m_details = std::move(*details);
        }
        return m_details->read(source);
    }

private:
    std::filesystem::path m_file;
    LoadOptions m_options;
    std::unique_ptr<DetailReader> m_details;
};

unsigned threadsOf(const LoadOptions& options) {
    return options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
}

} // namespace

Result<CachedLoad> loadCached(const std::filesystem::path& file, JobControl& job, const LoadOptions& options,
                              const CachePolicy& policy) {
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    std::optional<SourceIdentity> source;
    if (!options.cacheFolder.empty())
        source = SourceIdentity::of(file, options);
    CachedLoad result;
    if (source) {
        if (auto trace =
                IndexCache(options.cacheFolder).find(*source, file.string(), threadsOf(options), job)) {
            LoadOptions later = options;
            later.onSnapshot = nullptr;
            result.loaded = {std::move(trace), std::make_shared<LazyDetails>(file, std::move(later))};
            result.isFromCache = true;
            result.seconds = elapsed();
            job.setPhase(JobControl::Phase::Done);
            return result;
        }
        if (job.cancelled())
            return Error{Errc::Cancelled, "Stopped.", {}, {}};
    }
    auto loaded = loadTrace(file, builtinImporters(), job, options);
    if (!loaded)
        return loaded.error();
    result.loaded = std::move(*loaded);
    result.seconds = elapsed();
    const bool isWorthIt =
        source && (source->bytes >= policy.worthBytes || result.seconds >= policy.worthSeconds);
    if (isWorthIt && source->ageNs >= policy.settledNs && !result.loaded.trace->report().isPartial())
        result.toStore = std::move(source);
    return result;
}

bool storeIndex(const SourceIdentity& source, const Trace& trace, const LoadOptions& options,
                JobControl& job) {
    const auto now = SourceIdentity::of(source.file, options);
    return now && now->key == source.key && IndexCache(options.cacheFolder).store(source, trace, job);
}

} // namespace lacuna
