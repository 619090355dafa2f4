#include "core/import/load_trace.h"
#include "core/import/nsys_sqlite.h"
#include "tests/fuzz/check_model.h"
#include "tests/fuzz/targets.h"
#include "tests/support/trace_compare.h"

#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>

namespace lacuna::fuzz {

namespace {

constexpr int kMaxSteps = 20'000; // of SQL that makes a file

// The tables that are read most, with the columns that every version has.
constexpr const char* kSchema = R"(PRAGMA page_size=512;
CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
 correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, graphNodeId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
 correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
 correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
 streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER);
CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, rangeId INTEGER, text TEXT, globalTid INTEGER,
 endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);
CREATE TABLE OSRT_API(start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER);
INSERT INTO StringIds VALUES(1,'kernel'),(2,'cudaLaunchKernel'),(3,'range');
)";

struct Close {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Db = std::unique_ptr<sqlite3, Close>;

Db openEmpty() {
    sqlite3* raw = nullptr;
    sqlite3_open(":memory:", &raw);
    return Db(raw);
}

std::string serialised(sqlite3* db) {
    sqlite3_int64 size = 0;
    unsigned char* bytes = sqlite3_serialize(db, "main", &size, 0);
    std::string file(reinterpret_cast<const char*>(bytes),
                     bytes == nullptr ? 0 : static_cast<std::size_t>(size));
    sqlite3_free(bytes);
    return file;
}

const std::string& emptyExport() {
    static const std::string file = [] {
        const Db db = openEmpty();
        require(sqlite3_exec(db.get(), kSchema, nullptr, nullptr, nullptr) == SQLITE_OK,
                "the schema is right");
        return serialised(db.get());
    }();
    return file;
}

int stop(void*) {
    return 1;
}
// Nothing outside the memory of the database may be reached.
int allow(void*, int action, const char*, const char*, const char*, const char*) {
    return action == SQLITE_ATTACH || action == SQLITE_PRAGMA ? SQLITE_DENY : SQLITE_OK;
}

std::string filledBy(const std::string& sql) {
    const Db db = openEmpty();
    std::string file = emptyExport();
    auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(file.size()));
    std::copy(file.begin(), file.end(), copy);
    const auto size = static_cast<sqlite3_int64>(file.size());
    sqlite3_deserialize(db.get(), "main", copy, size, size,
                        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
    sqlite3_limit(db.get(), SQLITE_LIMIT_LENGTH, 100'000);
    sqlite3_limit(db.get(), SQLITE_LIMIT_EXPR_DEPTH, 50);
    sqlite3_progress_handler(db.get(), kMaxSteps, stop, nullptr);
    sqlite3_set_authorizer(db.get(), allow, nullptr);
    sqlite3_exec(db.get(), sql.c_str(), nullptr, nullptr, nullptr);
    return serialised(db.get());
}

const ImporterList& importers() {
    static const ImporterList list = [] {
        ImporterList made;
        made.push_back(makeNsysSqliteImporter());
        return made;
    }();
    return list;
}

LoadOptions options() {
    LoadOptions one;
    one.threads = 1;
    return one;
}

// Of a file, tables are decoded from their pages; of memory, SQLite is asked. An empty answer: no difference.
std::string differenceOfFile(const std::string& bytes, const Result<LoadedTrace>& fromMemory) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("lacuna-fuzz-" + std::to_string(::getpid()));
    const std::filesystem::path file = folder / "trace.sqlite";
    std::filesystem::create_directory(folder);
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    JobControl job;
    const auto fromFile = loadTrace(file, importers(), job, options());
    std::filesystem::remove_all(folder);
    if (!fromFile || !fromMemory)
        return bool(fromFile) == bool(fromMemory) ? "" : "success";
    requireModel(fromFile->trace, true);
    return test::firstDifference(*fromFile->trace, *fromMemory->trace);
}

} // namespace

void fuzzSqlite(std::span<const std::byte> data) {
    std::string text(reinterpret_cast<const char*>(data.data()), data.size());
    const bool isRaw = text.starts_with("SQLite format 3");
    if (!isRaw)
        text = filledBy(text);
    JobControl job;
    const auto loaded = loadTraceFromMemory(text, "trace.sqlite", importers(), job, 0, options());
    if (data.size() % 2 == 0) { // takes as long again
        const std::string difference = differenceOfFile(text, loaded);
        require(isRaw || difference.empty(), "decoded pages differ from SQLite's answer in " + difference);
    }
    if (!loaded) {
        require(!loaded.error().detail.empty() && !loaded.error().remedy.empty(),
                "an error has a reason and a remedy");
        return;
    }
    requireModel(loaded->trace, true);
}

} // namespace lacuna::fuzz
