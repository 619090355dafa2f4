#include "core/cache/index_cache.h"

#include "core/cache/file_time.h"
#include "core/cache/trace_archive.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace lacuna {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSuffix = ".index", kUnfinished = ".part";
constexpr std::int64_t kUnfinishedSeconds = 24 * 3600; // after that nobody is writing it any more

bool isOurs(const struct stat& s) {
    return s.st_uid == ::geteuid();
}

struct CacheFile {
    fs::path path;
    std::uint64_t bytes = 0;
    std::int64_t lastUseNs = 0;
};

// Our files in the folder; nothing else in it is ever touched.
std::vector<CacheFile> filesIn(const fs::path& folder, std::string_view suffix) {
    std::vector<CacheFile> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        struct stat s {};
        if (at->path().extension() == suffix && ::lstat(at->path().c_str(), &s) == 0 && S_ISREG(s.st_mode))
            files.push_back({at->path(), static_cast<std::uint64_t>(s.st_size), nsOf(s.st_mtim)});
    }
    return files;
}

void removeFile(const fs::path& file) {
    std::error_code ignored;
    fs::remove(file, ignored);
}

// A file that is gone unless keepAs() was called.
class UnfinishedFile {
public:
    explicit UnfinishedFile(const fs::path& folder, const std::string& name)
        : m_path((folder / (name + "-XXXXXX" + std::string(kUnfinished))).string()),
          m_descriptor(::mkostemps(m_path.data(), static_cast<int>(kUnfinished.size()), O_CLOEXEC)) {}
    ~UnfinishedFile() {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        if (m_descriptor >= 0 && !m_isKept)
            ::unlink(m_path.c_str());
    }
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

    bool isOpen() const { return m_descriptor >= 0; }
    bool append(std::span<const std::byte> bytes) const {
        while (!bytes.empty()) {
            const ssize_t done = ::write(m_descriptor, bytes.data(), bytes.size());
            if (done < 0 && errno == EINTR)
                continue;
            if (done <= 0)
                return false;
            bytes = bytes.subspan(static_cast<std::size_t>(done));
        }
        return true;
    }
    bool keepAs(const fs::path& file) {
        m_isKept = ::fdatasync(m_descriptor) == 0 && ::rename(m_path.c_str(), file.c_str()) == 0;
        return m_isKept;
    }

private:
    std::string m_path;
    int m_descriptor;
    bool m_isKept = false;
};

// Bytes that a file of this trace takes, generously.
std::uint64_t estimatedBytes(const Trace& trace) {
    std::uint64_t bytes = std::uint64_t{trace.events().size()} * 96 + trace.strings().bytes() +
                          trace.strings().size() * 4 + trace.lanes().size() * 64 + (std::uint64_t{1} << 20);
    for (const CounterTrack& track : trace.counters())
        bytes += track.timeNs.size() * 16;
    return bytes;
}

} // namespace

fs::path defaultCacheFolder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string_view(value == nullptr ? "" : value);
    };
    if (variable("LACUNA_CACHE") == "off")
        return {};
    if (const std::string_view cache = variable("XDG_CACHE_HOME"); cache.starts_with('/'))
        return fs::path(cache) / "lacuna" / "index";
    if (const std::string_view home = variable("HOME"); home.starts_with('/'))
        return fs::path(home) / ".cache" / "lacuna" / "index";
    return {};
}

IndexCache::IndexCache(fs::path folder, std::uint64_t limitBytes)
    : m_folder(std::move(folder)), m_limit(limitBytes) {}

std::shared_ptr<const Trace> IndexCache::find(const SourceIdentity& source, const std::string& path,
                                              unsigned threads, JobControl& job) const {
    if (m_folder.empty() || !isFolderSafe())
        return nullptr;
    const fs::path file = m_folder / (source.cacheName + std::string(kSuffix));
    struct stat s {};
    if (::lstat(file.c_str(), &s) != 0 || !S_ISREG(s.st_mode) || !isOurs(s))
        return nullptr;
    const auto stored = openStoredFile(file);
    if (!stored)
        return nullptr;
    auto trace = TraceArchive::read(**stored, source.key, job, {path, threads, {}});
    if (trace != nullptr)
        ::utimensat(AT_FDCWD, file.c_str(), nullptr, AT_SYMLINK_NOFOLLOW); // used now
    return trace;
}

bool IndexCache::store(const SourceIdentity& source, const Trace& trace, JobControl& job) const {
    if (m_folder.empty() || !makeFolder() || !hasRoomFor(estimatedBytes(trace)))
        return false;
    UnfinishedFile unfinished(m_folder, source.cacheName);
    if (!unfinished.isOpen())
        return false;
    std::uint64_t written = 0;
    const bool isWritten = TraceArchive::write(
        trace, source.key,
        [&](std::span<const std::byte> bytes) {
            written += bytes.size();
            return written <= m_limit && unfinished.append(bytes);
        },
        job);
    const fs::path file = m_folder / (source.cacheName + std::string(kSuffix));
    if (!isWritten || job.cancelled() || !unfinished.keepAs(file))
        return false;
    removeOldest(m_limit, file);
    return true;
}

// Private from the first moment on: 0700 for what we make.
bool IndexCache::makeFolder() const {
    std::error_code error;
    fs::create_directories(m_folder.parent_path().parent_path(), error);
    ::mkdir(m_folder.parent_path().c_str(), 0700);
    ::mkdir(m_folder.c_str(), 0700);
    return isFolderSafe();
}

// Ours, and nobody else can put files into it.
bool IndexCache::isFolderSafe() const {
    struct stat s {};
    return ::stat(m_folder.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && isOurs(s) &&
           (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// A cache must not be what fills the disk, and a write past the process's limit would kill it.
bool IndexCache::hasRoomFor(std::uint64_t bytes) const {
    rlimit fileSize{};
    if (::getrlimit(RLIMIT_FSIZE, &fileSize) == 0 && fileSize.rlim_cur != RLIM_INFINITY &&
        fileSize.rlim_cur / 2 < bytes)
        return false;
    struct statvfs disk {};
    return ::statvfs(m_folder.c_str(), &disk) == 0 &&
           static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize / 2 >= bytes;
}

void IndexCache::removeOldest(std::uint64_t limit, const fs::path& keep) const {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    for (const CacheFile& file : filesIn(m_folder, kUnfinished))
        if (nsOf(now) - file.lastUseNs > kUnfinishedSeconds * 1'000'000'000)
            removeFile(file.path);
    std::vector<CacheFile> files = filesIn(m_folder, kSuffix);
    std::uint64_t all = 0;
    for (const CacheFile& file : files)
        all += file.bytes;
    std::sort(files.begin(), files.end(),
              [](const CacheFile& a, const CacheFile& b) { return a.lastUseNs < b.lastUseNs; });
    for (const CacheFile& file : files) {
        if (all <= limit)
            return;
        if (file.path == keep)
            continue;
        removeFile(file.path);
        all -= file.bytes;
    }
}

IndexCache::Usage IndexCache::usage() const {
    Usage usage;
    for (const std::string_view suffix : {kSuffix, kUnfinished})
        for (const CacheFile& file : filesIn(m_folder, suffix)) {
            ++usage.files;
            usage.bytes += file.bytes;
        }
    return usage;
}

void IndexCache::clear() const {
    for (const std::string_view suffix : {kSuffix, kUnfinished})
        for (const CacheFile& file : filesIn(m_folder, suffix))
            removeFile(file.path);
}

} // namespace lacuna
