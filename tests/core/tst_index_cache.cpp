// The folder of cached traces: what is served, what never is, and what happens when it cannot be used.

#include "core/cache/cached_load.h"
#include "core/cache/index_cache.h"
#include "tests/support/json_trace.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/trace_compare.h"

#include <QTemporaryDir>

#include <array>
#include <atomic>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace tst_index_cache {

using namespace lacuna;
using namespace lacuna::test;
namespace fs = std::filesystem;

namespace {

// Every file is worth it, also one that was written a moment ago.
constexpr CachePolicy kAlways{0, 0, 0};

struct Folder {
    QTemporaryDir temporary;
    fs::path path = temporary.path().toStdString();
    fs::path cache = path / "cache" / "lacuna" / "index";
    IndexCache index{cache};
    LoadOptions options{{}, cache, {}, {}, 0};
};

std::string someTrace(int events) {
    std::string text;
    for (int i = 0; i < events; ++i)
        text += (i == 0 ? "" : ",\n") + q("{'ph': 'X', 'name': 'op" + std::to_string(i) +
                                          "', 'pid': 1, 'tid': 1, 'ts': " + std::to_string(i * 10) +
                                          ", 'dur': 7, 'args': {'n': " + std::to_string(i) + "}}");
    return objectForm(text);
}

void write(const fs::path& file, std::string_view text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

std::array<timespec, 2> timesOf(const fs::path& file) {
    struct stat s {};
    ::stat(file.c_str(), &s);
    return {s.st_atim, s.st_mtim};
}

void setTimes(const fs::path& file, const std::array<timespec, 2>& times) {
    ::utimensat(AT_FDCWD, file.c_str(), times.data(), 0);
}

CachedLoad load(const fs::path& file, const LoadOptions& options, const CachePolicy& policy = kAlways) {
    JobControl job;
    auto loaded = loadCached(file, job, options, policy);
    return loaded ? std::move(*loaded) : CachedLoad{};
}

// Whole traces that were read from their source are marked for the cache by kAlways.
bool isFromCache(const CachedLoad& loaded) {
    return loaded.trace != nullptr && loaded.toStore == nullptr && !loaded.trace->report().isPartial();
}

bool storeNow(const fs::path& file, const LoadOptions& options) {
    const CachedLoad loaded = load(file, options);
    JobControl job;
    return storeIndex(loaded, job);
}

bool isServed(const fs::path& file, const LoadOptions& options) {
    return isFromCache(load(file, options));
}

std::vector<fs::path> filesIn(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        files.push_back(entry.path());
    return files;
}

} // namespace

class TstIndexCache : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void secondLoad_isTheSameTrace_data();
    void secondLoad_isTheSameTrace();
    void changedFile_isNeverServed_data();
    void changedFile_isNeverServed();
    void otherLink_isTheSameFile();
    void otherVersion_isReplaced();
    void policy_keepsWhatIsWorthIt();
    void partlyRead_isNotKept();
    void changedDuringTheLoad_isNotStored();
    void files_arePrivate();
    void foreignFiles_areNotTrusted();
    void limit_removesTheLeastRecentlyUsed();
    void unusableFolder_isNoError();
    void fileSizeLimit_doesNotKill();
    void cancelledStore_leavesNothing();
    void clear_removesOnlyOurFiles();
    void severalAtOnce_getCompleteFiles();
    void defaultFolder_followsTheEnvironment();
};

void TstIndexCache::secondLoad_isTheSameTrace_data() {
    QTest::addColumn<QString>("file");
    for (const char* const folder : {"captured/torch", "captured/nsys", "captured/pairs", "micro"})
        for (const auto& entry : fs::directory_iterator(fixture(folder)))
            if (entry.path().filename().string().find("ref.out") == std::string::npos &&
                entry.path().filename() != "measured.json")
                QTest::newRow(entry.path().filename().c_str())
                    << QString::fromStdString(entry.path().string());
}

void TstIndexCache::secondLoad_isTheSameTrace() {
    QFETCH(QString, file);
    const Folder f;
    const CachedLoad first = load(file.toStdString(), f.options);
    QVERIFY(first.trace != nullptr);
    QVERIFY(!isFromCache(first));
    if (first.trace->report().isPartial())
        return;
    JobControl job;
    QVERIFY(storeIndex(first, job));
    const CachedLoad second = load(file.toStdString(), f.options);
    QVERIFY(isFromCache(second));
    QVERIFY(!second.toStore);
    QCOMPARE(firstDifference(*first.trace, *second.trace), std::string());
    const auto& sources = first.trace->events().source;
    for (std::size_t row = 0; row < sources.size(); row += sources.size() / 16 + 1) {
        const auto a = first.details->read({sources[row]}), b = second.details->read({sources[row]});
        QVERIFY(a && b);
        QVERIFY(a->fields == b->fields);
    }
}

void TstIndexCache::changedFile_isNeverServed_data() {
    QTest::addColumn<QString>("change");
    for (const char* const change : {"longer", "shorter", "time", "content", "middle", "inode", "log"})
        QTest::newRow(change) << QString::fromLatin1(change);
}

void TstIndexCache::changedFile_isNeverServed() {
    QFETCH(QString, change);
    const Folder f;
    const fs::path file = f.path / "trace.json", other = f.path / "other";
    std::string text = someTrace(20'000); // the middle is in no sample
    write(file, text);
    const auto times = timesOf(file);
    QVERIFY(storeNow(file, f.options));
    QVERIFY(isServed(file, f.options));
    ::usleep(20'000); // a tick of the file system's clock
    if (change == u"longer")
        write(file, text + " ");
    else if (change == u"shorter")
        write(file, std::string_view(text).substr(0, text.size() - 1));
    else if (change == u"time")
        setTimes(file, {timespec{1, 0}, timespec{1, 0}});
    else if (change == u"content" || change == u"middle") {
        const std::size_t at = text.find("op", change == u"content" ? 0 : text.size() / 3 + 5000);
        text[at] = 'O';
        write(file, text);
        setTimes(file, times);
        QCOMPARE(timesOf(file)[1].tv_nsec, times[1].tv_nsec);
    } else if (change == u"inode") {
        write(other, text);
        setTimes(other, times);
        fs::rename(other, file);
    } else
        write(fs::path(file) += "-wal", "log");
    QVERIFY(!isServed(file, f.options));
    QVERIFY(storeNow(file, f.options) || load(file, f.options).trace->report().isPartial());
}

void TstIndexCache::otherLink_isTheSameFile() {
    const Folder f;
    const fs::path file = f.path / "trace.json", link = f.path / "link.json";
    write(file, someTrace(3));
    fs::create_symlink(file, link);
    QVERIFY(storeNow(file, f.options));
    const CachedLoad byLink = load(link, f.options);
    QVERIFY(isFromCache(byLink));
    QCOMPARE(byLink.trace->facts().fileName, std::string("link.json"));
    QCOMPARE(byLink.trace->facts().path, link.string());
    LoadOptions member = f.options;
    member.member = "rank1.json";
    QVERIFY(!SourceIdentity::of(file, member)->key.empty());
    QVERIFY(SourceIdentity::of(file, member)->key != SourceIdentity::of(file, f.options)->key);
    QVERIFY(SourceIdentity::of(file, member)->cacheName != SourceIdentity::of(file, f.options)->cacheName);
}

void TstIndexCache::otherVersion_isReplaced() {
    const Folder f;
    const fs::path file = f.path / "trace.json";
    write(file, someTrace(3));
    QVERIFY(storeNow(file, f.options));
    const std::vector<fs::path> files = filesIn(f.cache);
    QCOMPARE(files.size(), std::size_t{1});
    std::string bytes = readFile(files[0]);
    bytes[8] = static_cast<char>(bytes[8] + 1); // format version
    write(files[0], bytes);
    QVERIFY(!isServed(file, f.options));
    QVERIFY(storeNow(file, f.options));
    QVERIFY(isServed(file, f.options));
    QCOMPARE(filesIn(f.cache).size(), std::size_t{1});
    QVERIFY(SourceIdentity::of(file, f.options)->key.starts_with("lacuna "));
}

void TstIndexCache::policy_keepsWhatIsWorthIt() {
    const Folder f;
    const fs::path file = f.path / "trace.json";
    write(file, someTrace(100));
    const double never = 1e9;
    QVERIFY(!load(file, f.options, {std::uint64_t{1} << 40, never, 0}).toStore);         // small and fast
    QVERIFY(load(file, f.options, {fs::file_size(file), never, 0}).toStore);             // large
    QVERIFY(load(file, f.options, {std::uint64_t{1} << 40, 0, 0}).toStore);              // slow
    QVERIFY(!load(file, f.options, {0, 0, std::int64_t{3600} * 1'000'000'000}).toStore); // just written
    LoadOptions none;
    QVERIFY(!load(file, none).toStore); // no folder
    QVERIFY(load(file, none).trace != nullptr);
}

void TstIndexCache::partlyRead_isNotKept() {
    const Folder f;
    const fs::path file = f.path / "trace.json";
    const std::string text = someTrace(100);
    write(file, std::string_view(text).substr(0, text.size() / 2));
    const CachedLoad loaded = load(file, f.options);
    QVERIFY(loaded.trace->report().isPartial());
    QVERIFY(!loaded.toStore);
}

void TstIndexCache::changedDuringTheLoad_isNotStored() {
    const Folder f;
    const fs::path file = f.path / "trace.json";
    write(file, someTrace(3));
    const CachedLoad loaded = load(file, f.options);
    write(file, someTrace(4));
    JobControl job;
    QVERIFY(!storeIndex(loaded, job));
    fs::remove(file);
    QVERIFY(!storeIndex(loaded, job));
    QVERIFY(filesIn(f.cache).empty());
}

void TstIndexCache::files_arePrivate() {
    const Folder f;
    const fs::path file = f.path / "trace.json";
    write(file, someTrace(3));
    QVERIFY(storeNow(file, f.options));
    struct stat s {};
    QCOMPARE(::stat(f.cache.c_str(), &s), 0);
    QCOMPARE(s.st_mode & 07777u, 0700u);
    QCOMPARE(::stat(filesIn(f.cache)[0].c_str(), &s), 0);
    QCOMPARE(s.st_mode & 07777u, 0600u);
}

void TstIndexCache::foreignFiles_areNotTrusted() {
    const Folder f;
    const fs::path file = f.path / "trace.json";
    write(file, someTrace(3));
    QVERIFY(storeNow(file, f.options));
    ::chmod(f.cache.c_str(), 0777); // others could have put it there
    QVERIFY(!isServed(file, f.options));
    QVERIFY(!storeNow(file, f.options));
    ::chmod(f.cache.c_str(), 0700);
    QVERIFY(isServed(file, f.options));
    const fs::path cached = filesIn(f.cache)[0], moved = f.path / "moved";
    fs::rename(cached, moved);
    fs::create_symlink(moved, cached);
    QVERIFY(!isServed(file, f.options));
}

void TstIndexCache::limit_removesTheLeastRecentlyUsed() {
    const Folder f;
    std::array<fs::path, 3> files{f.path / "a.json", f.path / "b.json", f.path / "c.json"};
    for (const fs::path& file : files)
        write(file, someTrace(50));
    QVERIFY(storeNow(files[0], f.options) && storeNow(files[1], f.options));
    const std::uint64_t each = f.index.usage().bytes / 2;
    for (const fs::path& cached : filesIn(f.cache))
        setTimes(cached, {timespec{1000, 0}, timespec{1000, 0}});
    QVERIFY(isServed(files[0], f.options)); // and now the one used last
    JobControl job;
    const CachedLoad third = load(files[2], f.options);
    QVERIFY(IndexCache(f.cache, 2 * each + each / 2).store(*third.toStore, *third.trace, job));
    QVERIFY(isServed(files[0], f.options));
    QVERIFY(!isServed(files[1], f.options));
    QVERIFY(isServed(files[2], f.options));
    QVERIFY(!IndexCache(f.cache, each / 2).store(*third.toStore, *third.trace, job)); // larger than all
    QCOMPARE(f.index.usage().files, std::uint64_t{2});
}

void TstIndexCache::unusableFolder_isNoError() {
    const Folder f;
    const fs::path file = f.path / "trace.json", noFolder = f.path / "plain";
    write(file, someTrace(3));
    write(noFolder, "a file where a folder should be");
    for (const fs::path& folder : {noFolder, noFolder / "lacuna" / "index", fs::path("/proc/lacuna/index")}) {
        LoadOptions options = f.options;
        options.cacheFolder = folder;
        const CachedLoad loaded = load(file, options);
        QVERIFY(loaded.trace != nullptr);
        JobControl job;
        QVERIFY(!storeIndex(loaded, job));
        QCOMPARE(IndexCache(folder).usage().files, std::uint64_t{0});
        IndexCache(folder).clear();
    }
    QCOMPARE(readFile(noFolder), std::string("a file where a folder should be"));
}

void TstIndexCache::fileSizeLimit_doesNotKill() {
    const Folder f;
    const fs::path file = f.path / "trace.json";
    write(file, someTrace(2000));
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const CachedLoad loaded = load(file, f.options);
    const rlimit small{64 << 10, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    JobControl job;
    const bool isStored = storeIndex(loaded, job);
    ::setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!isStored);
    QVERIFY(filesIn(f.cache).empty());
}

void TstIndexCache::cancelledStore_leavesNothing() {
    const Folder f;
    const fs::path file = f.path / "trace.json";
    write(file, someTrace(2000));
    const CachedLoad loaded = load(file, f.options);
    JobControl all;
    QVERIFY(storeIndex(loaded, all));
    f.index.clear();
    for (std::uint64_t poll = 1; poll <= all.polls(); ++poll) {
        JobControl job;
        job.cancelAtPoll(poll);
        QVERIFY(!storeIndex(loaded, job));
        QVERIFY(filesIn(f.cache).empty());
    }
    JobControl job;
    QVERIFY(storeIndex(loaded, job));
    JobControl reading;
    reading.cancelAtPoll(1);
    const auto cancelled = loadCached(file, reading, f.options);
    QVERIFY(!cancelled);
    QCOMPARE(cancelled.error().code, Errc::Cancelled);
}

void TstIndexCache::clear_removesOnlyOurFiles() {
    const Folder f;
    const fs::path file = f.path / "trace.json";
    write(file, someTrace(3));
    QVERIFY(storeNow(file, f.options));
    write(f.cache / "note.txt", "mine");
    write(f.cache / "x.part", "left by a crash");
    QCOMPARE(f.index.usage().files, std::uint64_t{2});
    f.index.clear();
    QCOMPARE(f.index.usage().files, std::uint64_t{0});
    QCOMPARE(filesIn(f.cache), std::vector<fs::path>{f.cache / "note.txt"});
    QVERIFY(!isServed(file, f.options));
}

void TstIndexCache::severalAtOnce_getCompleteFiles() {
    const Folder f;
    const fs::path file = f.path / "trace.json";
    write(file, someTrace(500));
    const CachedLoad first = load(file, f.options);
    std::atomic<int> served{0}, wrong{0};
    const auto work = [&](int thread) {
        std::mt19937 random(static_cast<unsigned>(thread));
        for (int i = 0; i < 60; ++i) {
            JobControl job;
            if (random() % 3 == 0)
                storeIndex(first, job);
            else if (random() % 8 == 0)
                f.index.clear();
            else if (const auto trace = f.index.find(*first.toStore, file.string(), 1, job)) {
                ++served;
                wrong += !firstDifference(*first.trace, *trace).empty();
            }
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(work, i);
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(wrong.load(), 0);
    QVERIFY(served > 0);
}

void TstIndexCache::defaultFolder_followsTheEnvironment() {
    const QByteArray home = qgetenv("HOME"), cache = qgetenv("XDG_CACHE_HOME"), off = qgetenv("LACUNA_CACHE");
    qunsetenv("LACUNA_CACHE");
    qputenv("HOME", "/home/a");
    qputenv("XDG_CACHE_HOME", "/var/cache/a");
    const fs::path byCache = defaultCacheFolder();
    qputenv("XDG_CACHE_HOME", "relative"); // to be ignored, says the specification
    const fs::path byHome = defaultCacheFolder();
    qputenv("LACUNA_CACHE", "off");
    const fs::path none = defaultCacheFolder();
    qputenv("HOME", home);
    cache.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", cache);
    off.isNull() ? qunsetenv("LACUNA_CACHE") : qputenv("LACUNA_CACHE", off);
    QCOMPARE(byCache, fs::path("/var/cache/a/lacuna/index"));
    QCOMPARE(byHome, fs::path("/home/a/.cache/lacuna/index"));
    QVERIFY(none.empty());
}

LACUNA_TEST(TstIndexCache, "tst_index_cache")

} // namespace tst_index_cache

#include "tst_index_cache.moc"
