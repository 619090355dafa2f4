#include "tests/support/sqlite_fixture.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace lacuna::test {

namespace fs = std::filesystem;

namespace {

using Connection = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

[[noreturn]] void fail(sqlite3* db, std::string_view sql) {
    std::fprintf(stderr, "sqlite fixture: %s in: %.200s\n", sqlite3_errmsg(db), std::string(sql).c_str());
    std::abort();
}

Connection open(const std::string& uri, int flags) {
    sqlite3* db = nullptr;
    if (sqlite3_open_v2(uri.c_str(), &db, flags | SQLITE_OPEN_URI, nullptr) != SQLITE_OK)
        fail(db, uri);
    return {db, sqlite3_close};
}

void execute(sqlite3* db, std::string_view sql) {
    if (sqlite3_exec(db, std::string(sql).c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        fail(db, sql);
}

fs::path newFolder() {
    std::string pattern = (fs::temp_directory_path() / "lacuna-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr)
        std::abort();
    return pattern;
}

Connection openUntouched(const fs::path& file) {
    return open("file:" + file.string() + "?mode=ro&immutable=1", SQLITE_OPEN_READONLY);
}

} // namespace

SqliteFixture::SqliteFixture(std::string_view sql, std::string_view fileName)
    : m_folder(newFolder()), m_file(m_folder / fileName) {
    run(sql);
}

SqliteFixture SqliteFixture::copyOf(const fs::path& file) {
    SqliteFixture copy;
    copy.m_folder = newFolder();
    copy.m_file = copy.m_folder / file.filename();
    fs::copy_file(file, copy.m_file);
    fs::permissions(copy.m_file, fs::perms::owner_read | fs::perms::owner_write);
    return copy;
}

SqliteFixture::SqliteFixture(SqliteFixture&& other) noexcept
    : m_folder(std::exchange(other.m_folder, {})), m_file(std::exchange(other.m_file, {})) {}

SqliteFixture::~SqliteFixture() {
    std::error_code ignored;
    if (!m_folder.empty())
        fs::remove_all(m_folder, ignored);
}

void SqliteFixture::run(std::string_view sql) {
    // Not "file:": names with special characters must work.
    sqlite3* raw = nullptr;
    if (sqlite3_open(m_file.c_str(), &raw) != SQLITE_OK)
        fail(raw, m_file.string());
    const Connection db(raw, sqlite3_close);
    execute(db.get(), "PRAGMA synchronous = OFF"); // nobody needs these files after a power cut
    execute(db.get(), "BEGIN; " + std::string(sql) + "; COMMIT");
}

std::vector<std::string> SqliteFixture::folder() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(m_folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

void SqliteFixture::runIntoLog(std::string_view sql) {
    const fs::path source = m_folder / "source.sqlite";
    fs::rename(m_file, source);
    {
        const Connection db = open("file:" + source.string(), SQLITE_OPEN_READWRITE);
        execute(db.get(), "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; " + std::string(sql));
        fs::copy_file(source, m_file);
        fs::copy_file(source.string() + "-wal", m_file.string() + "-wal");
    }
    for (const char* suffix : {"", "-wal", "-shm"})
        fs::remove(source.string() + suffix);
}

void SqliteFixture::runIntoJournal(std::string_view sql) {
    const fs::path source = m_folder / "source.sqlite";
    fs::rename(m_file, source);
    {
        const Connection db = open("file:" + source.string(), SQLITE_OPEN_READWRITE);
        // A cache of one page writes changed pages to the file before the transaction ends.
        execute(db.get(), "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; " + std::string(sql));
        fs::copy_file(source, m_file);
        fs::copy_file(source.string() + "-journal", m_file.string() + "-journal");
        execute(db.get(), "ROLLBACK");
    }
    fs::remove(source);
}

std::int64_t SqliteFixture::numberIn(const fs::path& file, std::string_view sql) {
    const std::vector<std::string> column = columnIn(file, sql);
    return column.empty() ? 0 : std::strtoll(column.front().c_str(), nullptr, 10);
}

std::vector<std::string> SqliteFixture::columnIn(const fs::path& file, std::string_view sql) {
    const Connection db = openUntouched(file);
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db.get(), std::string(sql).c_str(), -1, &statement, nullptr) != SQLITE_OK)
        fail(db.get(), sql);
    std::vector<std::string> values;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const auto* text = sqlite3_column_text(statement, 0);
        values.emplace_back(text == nullptr ? "" : static_cast<const char*>(static_cast<const void*>(text)));
    }
    sqlite3_finalize(statement);
    return values;
}

std::int64_t globalTid(std::int64_t process, std::int64_t thread) {
    return (std::int64_t{1} << 48) | (process << 24) | thread;
}

std::string_view nsysSchema() {
    return R"(
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2025.3.2.0'), ('EXPORT_SCHEMA_VERSION', '3.20.3'),
  ('EXPORT_HOST', 'secret-host'), ('EXPORT_USER', 'secret-user');
CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, '', '');
CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, devStateName TEXT, name TEXT, nameEnum INTEGER, value TEXT);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT, busLocation TEXT, cuDevice INTEGER);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);
CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId INTEGER, hwId INTEGER, vmId INTEGER, processId INTEGER,
  deviceId INTEGER, contextId INTEGER, parentContextId INTEGER, isGreenContext INTEGER);
CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER, hwId INTEGER, vmId INTEGER, processId INTEGER,
  contextId INTEGER, priority INTEGER, flag INTEGER);
CREATE TABLE TARGET_INFO_NVTX_CUDA_STREAM (name TEXT, hwId INTEGER, vmId INTEGER, processId INTEGER,
  deviceId INTEGER, contextId INTEGER, streamId INTEGER);
CREATE TABLE TARGET_INFO_GPU_METRICS (typeId INTEGER, sourceId INTEGER, typeName TEXT, metricId INTEGER,
  metricName TEXT);
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
CREATE TABLE ThreadNames (nameId INTEGER, priority INTEGER, globalTid INTEGER);
CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, timestampType INTEGER, source INTEGER, severity INTEGER, text TEXT,
  globalPid INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
  greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER,
  shortName INTEGER, mangledName INTEGER, launchType INTEGER, gridX INTEGER, graphNodeId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
  greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER,
  copyKind INTEGER, srcKind INTEGER, dstKind INTEGER, migrationCause INTEGER, graphNodeId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
  greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, value INTEGER, bytes INTEGER,
  graphNodeId INTEGER, memKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
  greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, graphId INTEGER,
  graphExecId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
  greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, deprecatedSyncType INTEGER,
  syncType INTEGER, eventId INTEGER, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER, contextId INTEGER, greenContextId INTEGER,
  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, eventId INTEGER, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER, overheadType INTEGER);
CREATE TABLE PROFILER_OVERHEAD (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, returnValue INTEGER);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, rangeId INTEGER, category INTEGER,
  color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER,
  uint64Value INTEGER, jsonTextId INTEGER);
CREATE TABLE OSRT_API (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, nameId INTEGER,
  returnValue INTEGER, nestingLevel INTEGER, callchainId INTEGER NOT NULL DEFAULT 0);
CREATE TABLE OSRT_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER, module INTEGER, unresolved INTEGER,
  stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
CREATE TABLE CUBLAS_EVENTS (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, nameId INTEGER);
CREATE TABLE MPI_OTHER_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER, textId INTEGER);
CREATE TABLE CUDA_GRAPH_NODE_EVENTS (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
  nameId INTEGER, graphNodeId INTEGER, originalGraphNodeId INTEGER);
CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS (start INTEGER, globalPid INTEGER, deviceId INTEGER, contextId INTEGER,
  address INTEGER, pc INTEGER, bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER, name TEXT,
  correlationId INTEGER);
CREATE TABLE GPU_METRICS (rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
CREATE TABLE GENERIC_EVENTS (genericEventId INTEGER, rawTimestamp INTEGER, timestamp INTEGER, typeId INTEGER,
  globalTid INTEGER, data TEXT);
CREATE TABLE SCHED_EVENTS (start INTEGER, cpu INTEGER, isSchedIn INTEGER, globalTid INTEGER, threadState INTEGER,
  threadBlock INTEGER);
CREATE TABLE COMPOSITE_EVENTS (id INTEGER NOT NULL PRIMARY KEY, start INTEGER, cpu INTEGER, threadState INTEGER,
  globalTid INTEGER, cpuCycles INTEGER);
CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER, module INTEGER, unresolved INTEGER,
  stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS (start INTEGER, globalPid INTEGER, address INTEGER,
  originalFaultPc INTEGER, CpuInstruction INTEGER, module INTEGER, unresolvedFaultPc INTEGER);
CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER, end INTEGER, globalPid INTEGER, deviceId INTEGER,
  address INTEGER, numberOfPageFaults INTEGER, faultAccessType INTEGER);
CREATE TABLE CUDA_GPU_MEMORY_POOL_EVENTS (start INTEGER, globalPid INTEGER, deviceId INTEGER, address INTEGER,
  operationType INTEGER, poolType INTEGER);
CREATE TABLE OSRT_FILE_ACCESS_EVENTS (fileAccessId INTEGER, threadId INTEGER, startedAt INTEGER, endedAt INTEGER,
  eventType INTEGER, apiCallId INTEGER, bytesProcessed INTEGER);
CREATE TABLE OSRT_FILE_ACCESS_DESCRIPTORS (fileAccessId INTEGER, processId INTEGER, openedAt INTEGER,
  closedAt INTEGER, filePath TEXT);
CREATE TABLE NET_NIC_METRIC (start INTEGER, end INTEGER, globalId INTEGER, portId INTEGER, metricsListId INTEGER,
  metricsIdx INTEGER, value INTEGER);
CREATE TABLE TARGET_INFO_NETWORK_METRICS (metricsListId INTEGER, metricsIdx INTEGER, name TEXT, description TEXT,
  unit TEXT);
CREATE TABLE TARGET_INFO_NIC_INFO (GUID INTEGER, stateName TEXT, nicId INTEGER, name TEXT);
CREATE TABLE NIC_ID_MAP (nicId INTEGER, globalId INTEGER);
CREATE TABLE NVTXT_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, sourceId INTEGER, text TEXT,
  globalTid INTEGER, domainId INTEGER);
)";
}

} // namespace lacuna::test
