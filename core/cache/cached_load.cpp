#include "core/cache/cached_load.h"

#include "core/cache/index_cache.h"
#include "core/cache/source_identity.h"
#include "core/import/byte_source.h"
#include "core/import/open_details.h"
#include "core/import/table_columns.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace lacuna {

namespace {

// Opens the source when it is asked for the first time: unpacking an archive may take long.
class LazyDetails final : public DetailReader, public TableColumns {
public:
    explicit LazyDetails(SourceIdentity source) : m_source(std::move(source)) {}

    Result<EventDetails> read(SourceRef source) override {
        if (Status opened = open(); !opened)
            return opened.error();
        return m_details->read(source);
    }

    Status scan(std::string_view table, std::span<const std::string_view> columns,
                std::span<const RowSpan> rows, const Visit& visit, JobControl& job) override {
        if (Status opened = open(); !opened)
            return opened;
        auto* tables = dynamic_cast<TableColumns*>(m_details.get());
        return tables != nullptr ? tables->scan(table, columns, rows, visit, job)
                                 : Error{Errc::Unsupported, "The source has no tables.", {}, {}};
    }

    std::string tableName(std::uint32_t number) override {
        auto* tables = open() ? dynamic_cast<TableColumns*>(m_details.get()) : nullptr;
        return tables != nullptr ? tables->tableName(number) : std::string();
    }

private:
    Status open() {
        if (m_details != nullptr)
            return ok();
        auto details = openDetails(m_source.file, builtinImporters(), m_source.options);
        if (!details)
            return details.error();
        m_details = std::move(*details);
        return ok();
    }

    SourceIdentity m_source;
    std::unique_ptr<DetailReader> m_details;
};

// Reports are exported into a cache of their own (nsys_report.cpp), which their details need.
bool isReport(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    return extension == ".nsys-rep" || extension == ".qdrep" || extension == ".qdstrm";
}

unsigned threadsOf(const LoadOptions& options) {
    return options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
}

} // namespace

Result<CachedLoad> loadCached(const std::filesystem::path& file, JobControl& job, const LoadOptions& options,
                              const CachePolicy& policy) {
    const auto start = std::chrono::steady_clock::now();
    std::optional<SourceIdentity> source;
    if (options.choice == nullptr && !options.cacheFolder.empty() && !isStandardInput(file) &&
        !isReport(file))
        source = SourceIdentity::of(file, options);
    CachedLoad result;
    if (source) {
        result.trace = IndexCache(options.cacheFolder).find(*source, file.string(), threadsOf(options), job);
        if (job.cancelled())
            return cancelledError();
        if (result.trace != nullptr) {
            result.details = std::make_shared<LazyDetails>(*std::move(source));
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

bool storeIndex(const CachedLoad& loaded, JobControl& job) {
    if (loaded.toStore == nullptr)
        return false;
    const SourceIdentity& source = *loaded.toStore;
    const auto now = SourceIdentity::of(source.file, source.options);
    return now && now->key == source.key &&
           IndexCache(source.options.cacheFolder).store(source, *loaded.trace, job);
}

} // namespace lacuna
