#pragma once
// What the readers of single tables share while an Nsight Systems export is loaded: the database, the
// builder, names, processes, threads, lanes, progress and the rules for bad rows.
//
// Which tables count as rows ("one row = one row of a table that Lacuna reads"): exactly those listed by
// eventTables(). Each of their rows ends in one keep() or one drop(). All other tables are names,
// descriptions or not shown; a note lists those that a user would miss (table_list.h).

#include "core/base/column.h"
#include "core/base/job_control.h"
#include "core/import/detail/sqlite_db.h"
#include "core/import/detail/sqlite_pages.h"
#include "core/import/nsys/enums.h"
#include "core/import/nsys/scan_pool.h"
#include "core/import/nsys/table_rows.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lacuna::nsys {

constexpr std::uint64_t kThreadBits = 0xffffff; // nsys.md section 2.1
constexpr std::int64_t processKey(std::int64_t globalTid) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(globalTid) & ~kThreadBits);
}
constexpr std::int64_t processNumber(std::int64_t globalId) {
    return static_cast<std::int64_t>((static_cast<std::uint64_t>(globalId) >> 24) & 0xffffff);
}
constexpr std::int64_t threadNumber(std::int64_t globalTid) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(globalTid) & kThreadBits);
}
// The identifier of the virtual machine of a file of one machine (nsys.md section 2.1).
constexpr std::uint64_t kFirstMachine = std::uint64_t{1} << 48;
constexpr std::int64_t kNoneId = 0xffffffff; // "none" in streamId, eventId and eventSyncId

// StringIds, read as names are asked for: the table also holds whole outputs of programs, which nobody draws.
class Names {
public:
    Names(SqliteDb& db, StringPool& pool);
    // The string of an id; none when the table lacks it.
    std::optional<StringId> find(std::int64_t id);

private:
    std::optional<StringId> readOne(std::int64_t id);
    StringPool& m_pool;
    std::optional<SqliteStatement> m_lookup; // by key; none when the table has no key and was read at once
    std::vector<StringId> m_dense;           // small ids
    std::unordered_map<std::int64_t, StringId> m_sparse;
};

class NsysReader {
public:
    // threads: how many may read the database at once; 0: as many as the machine has.
    NsysReader(SqliteDb& db, TraceBuilder& builder, JobControl& job, std::uint64_t progressBytes,
               unsigned threads);

    SqliteDb& db;
    TraceBuilder& builder;
    ImportReport& report;
    JobControl& job;
    Names names;
    EnumLabels labels;
    std::vector<std::string> tables;  // eventTables()
    std::optional<SqlitePages> pages; // where tables can be read without SQLite
    ScanPool scans;

    bool cancelled = false;
    std::unordered_map<std::int64_t, std::string> processNames, threadNames; // by globalPid, globalTid
    std::unordered_map<std::int64_t, std::int64_t> mpiRanks;                 // by globalPid
    // Rows of the builder, by correlation after loadApi(); empty when no table asks for them.
    WorkColumn<std::uint32_t> apiCalls;

    std::vector<std::uint32_t>
        openRanges; // builder rows of ranges without end; closed when all rows are read

    // Every API row belongs to this process; none when there are several or no rows. Work without globalPid
    // is joined to calls only then (nsys.md section 2.3).
    std::optional<std::int64_t> onlyApiProcess;

    bool hasRows(std::string_view table);
    ProcessId process(std::int64_t globalId);
    ThreadId thread(std::int64_t globalTid);
    // The thread of tables that hold plain numbers: of the process with events that has this number.
    std::int64_t globalThread(std::int64_t processNumber, std::int64_t threadNumber) const;
    // After threadNames changed for a thread that may exist already.
    void renameThread(std::int64_t globalTid);
    // Lane of a host thread. A row without thread belongs to one unnamed thread of an unnamed process.
    LaneId hostLane(LaneKind kind, std::optional<std::int64_t> globalTid, std::string_view title = {});
    // The file's string, or the fallback for NULL; a missing string is noted, with the row `rows` stands on,
    // and shown by its number.
    StringId name(std::optional<std::int64_t> id, std::string_view fallback, const TableRows& rows);
    // (domain << 32) | id; 0 when there is nothing to join.
    std::uint64_t correlation(std::optional<std::int64_t> globalId, std::optional<std::int64_t> id);
    std::optional<std::uint32_t> apiCall(std::uint64_t correlation) const; // the first row

    // Progress of the event rows: `rows` more were read.
    void advance(std::uint64_t rows);
    std::uint64_t rowsBetweenPolls() const { return m_rowsBetweenPolls; }
    // Rows that advance() will see in all, an estimate; sets the distance of polls.
    void expectRows(std::uint64_t rows);

private:
    LaneId findHostLane(LaneKind kind, std::optional<std::int64_t> globalTid, std::string_view title);
    std::uint64_t m_progressBytes = 0, m_expectedRows = 0, m_rowsSeen = 0, m_bytesSeen = 0;
    std::uint64_t m_rowsBetweenPolls = 4096;
    std::unordered_map<std::int64_t, ProcessId> m_processes;
    std::unordered_map<std::int64_t, ThreadId> m_threads;
    std::unordered_set<std::int64_t> m_processNumbers;
    struct HostLanes {
        LaneKind kind = LaneKind::CpuThread;
        std::unordered_map<std::int64_t, LaneId> byThread;
        LaneId withoutThread;
    };
    std::map<std::string, std::vector<HostLanes>, std::less<>> m_hostLanes; // by title, a few kinds of each
    struct LastLane {                                                       // rows of one thread come in runs
        LaneKind kind = LaneKind::CpuThread;
        std::optional<std::int64_t> thread;
        std::string title;
        LaneId lane;
    };
    LastLane m_lastLane;
    std::int64_t m_lastProcessKey = 0;
    ProcessId m_lastProcess;
};

class DeviceLanes;

// Readers of table groups; each leaves early when the load is cancelled.
void loadApi(NsysReader& reader);
void loadDeviceWork(NsysReader& reader, DeviceLanes& lanes);
void loadSyncRows(NsysReader& reader, DeviceLanes& lanes);
void loadNvtx(NsysReader& reader);
void loadOsRuntime(NsysReader& reader);
void loadOverhead(NsysReader& reader);
void loadLibraryCalls(NsysReader& reader);
void loadGraphMarks(NsysReader& reader);
void loadCounters(NsysReader& reader, DeviceLanes& lanes);
void loadSchedule(NsysReader& reader);
void loadSamples(NsysReader& reader);
void loadMemoryMarks(NsysReader& reader, DeviceLanes& lanes);
void loadFileAccess(NsysReader& reader);
void loadNetworkMetrics(NsysReader& reader);

} // namespace lacuna::nsys
