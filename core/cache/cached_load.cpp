#include "core/cache/cached_load.h"

#include "core/cache/index_cache.h"
#include "core/cache/source_identity.h"
#include "core/import/open_details.h"

#include <algorithm>
#include <chrono>
#include <optional>
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
    std::optional<SourceIdentity> source;
    if (!options.cacheFolder.empty())
        source = SourceIdentity::of(file, options);
    CachedLoad result;
    if (source) {
        result.trace = IndexCache(options.cacheFolder).find(*source, file.string(), threadsOf(options), job);
        if (job.cancelled())
            return Error{Errc::Cancelled, "Stopped.", {}, {}};
        if (result.trace != nullptr) {
            LoadOptions later = options;
            later.onSnapshot = nullptr;
            result.details = std::make_shared<LazyDetails>(file, std::move(later));
            job.setPhase(JobControl::Phase::Done);
            return result;
        }
    }
    auto loaded = loadTrace(file, builtinImporters(), job, options);
    if (!loaded)
        return loaded.error();
    static_cast<LoadedTrace&>(result) = std::move(*loaded);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (source && (source->bytes >= policy.worthBytes || elapsed.count() >= policy.worthSeconds) &&
        source->ageNs >= policy.settledNs && !result.trace->report().isPartial())
        result.toStore = std::make_shared<const SourceIdentity>(*std::move(source));
    return result;
}

bool storeIndex(const CachedLoad& loaded, const LoadOptions& options, JobControl& job) {
    if (loaded.toStore == nullptr)
        return false;
    const auto now = SourceIdentity::of(loaded.toStore->file, options);
    return now && now->key == loaded.toStore->key &&
           IndexCache(options.cacheFolder).store(*loaded.toStore, *loaded.trace, job);
}

} // namespace lacuna
