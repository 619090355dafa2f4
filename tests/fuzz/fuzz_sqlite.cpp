#include "core/import/load_trace.h"
#include "core/import/nsys_sqlite.h"
#include "tests/fuzz/check_model.h"
#include "tests/fuzz/targets.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <string>

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

} // namespace

void fuzzSqlite(std::span<const std::byte> data) {
    std::string text(reinterpret_cast<const char*>(data.data()), data.size());
    if (!text.starts_with("SQLite format 3"))
        text = filledBy(text);
    static const ImporterList importers = [] {
        ImporterList list;
        list.push_back(makeNsysSqliteImporter());
        return list;
    }();
    JobControl job;
    LoadOptions options;
    options.threads = 1;
    const auto loaded = loadTraceFromMemory(std::move(text), "trace.sqlite", importers, job, 0, options);
    if (!loaded) {
        require(!loaded.error().detail.empty() && !loaded.error().remedy.empty(),
                "an error has a reason and a remedy");
        return;
    }
    requireModel(loaded->trace, true);
}

} // namespace lacuna::fuzz
