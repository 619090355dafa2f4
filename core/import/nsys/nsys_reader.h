#pragma once
// What the readers of single tables share while an Nsight Systems export is loaded: the database, the
// builder, names, processes, threads, lanes, progress and the rules for bad rows.
//
// Which tables count as rows ("one row = one row of a table that Lacuna reads"): exactly those listed by
// eventTables(). Each of their rows ends in one keep() or one drop(). All other tables are names,
// descriptions or not read at all; an info note says so where a user would miss them.

#include "core/base/job_control.h"
#include "core/import/detail/sqlite_db.h"
#include "core/import/nsys/enums.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lacuna::nsys {

// Tables whose rows become events, in a fixed order, then the OpenMP tables of this file by name. The index
// in this list is SourceRef::table().
std::vector<std::string> eventTables(const SqliteDb& db);

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
constexpr std::int64_t kNoneId = 0xffffffff; // "none" in streamId, eventId and eventSyncId

// StringIds, read as names are asked for: the table also holds whole outputs of programs, which nobody draws.
class Names {
public:
    Names(SqliteDb& db, StringPool& pool);
    // The string of an id; none when the table lacks it.
    std::optional<StringId> find(std::int64_t id);

private:
    std::optional<StringId> readOne(std::int64_t id);
    SqliteDb& m_db;
    StringPool& m_pool;
    std::optional<SqliteStatement> m_lookup; // by key; none when the table has no key and was read at once
    std::vector<StringId> m_dense;           // small ids
    std::unordered_map<std::int64_t, StringId> m_sparse;
};

// An API row, for sync rows that ask for the call they belong to.
struct ApiCall {
    std::uint64_t correlation = 0; // as in RawEvent
    std::uint32_t row = 0;         // builder row
    StringId name;
};

struct Interval {
    std::int64_t begin = 0, end = 0;
};

class NsysReader {
public:
    NsysReader(SqliteDb& db, TraceBuilder& builder, JobControl& job, std::uint64_t progressBytes);

    SqliteDb& db;
    TraceBuilder& builder;
    ImportReport& report;
    JobControl& job;
    Names names;
    EnumLabels labels;
    std::vector<std::string> tables; // eventTables()

    bool cancelled = false;
    std::unordered_map<std::int64_t, std::string> processNames, threadNames; // by globalPid, globalTid
    std::vector<ApiCall> apiCalls; // by correlation after loadApi(); empty when no table asks for it

    std::vector<std::uint32_t>
        openRanges; // builder rows of ranges without end; closed when all rows are read

    // Every API row belongs to this process; none when there are several or no rows. Work without globalPid
    // is joined to calls only then (nsys.md section 2.3).
    std::optional<std::int64_t> onlyApiProcess;

    ProcessId process(std::int64_t globalId);
    ThreadId thread(std::int64_t globalTid);
    // After threadNames changed for a thread that may exist already.
    void renameThread(std::int64_t globalTid);
    // Lane of a host thread. A row without thread belongs to one unnamed thread of an unnamed process.
    LaneId hostLane(LaneKind kind, std::optional<std::int64_t> globalTid, std::string_view title = {});
    // The file's string, or the fallback for NULL; a missing string is noted and shown by its number.
    StringId name(std::optional<std::int64_t> id, std::string_view fallback, const IssuePlace& place);
    // (domain << 32) | id; 0 when there is nothing to join.
    std::uint64_t correlation(std::optional<std::int64_t> globalId, std::optional<std::int64_t> id);
    const ApiCall* apiCall(std::uint64_t correlation) const;

    // Progress of the event rows: `rows` more were read.
    void advance(std::uint64_t rows);
    std::uint64_t rowsBetweenPolls() const { return m_rowsBetweenPolls; }
    // Rows that advance() will see in all, an estimate; sets the distance of polls.
    void expectRows(std::uint64_t rows);

private:
    void poll();
    std::uint64_t m_progressBytes = 0, m_expectedRows = 0, m_rowsSeen = 0, m_bytesSeen = 0;
    std::uint64_t m_rowsBetweenPolls = 4096;
    std::unordered_map<std::int64_t, ProcessId> m_processes;
    std::unordered_map<std::int64_t, ThreadId> m_threads;
    struct HostLanes {
        LaneKind kind = LaneKind::CpuThread;
        std::string_view title;
        std::unordered_map<std::int64_t, LaneId> byThread;
        LaneId withoutThread;
    };
    std::vector<HostLanes> m_hostLanes; // one per kind and title: a handful
};

// Iterates over the rows of one table with the columns a reader asks for; a column that the table lacks reads
// as NULL. Column numbers are those of the list.
class TableRows {
public:
    TableRows(NsysReader& reader, std::string_view table, std::initializer_list<std::string_view> columns);

    // False at the end, at damage (noted, the load is then partial) and when the job is cancelled.
    bool next();
    bool has(int column) const { return m_has[static_cast<std::size_t>(column)]; }
    std::optional<std::int64_t> integer(int column) const { return m_statement->integer(column + 1); }
    std::int64_t integerOr(int column, std::int64_t fallback) const {
        return integer(column).value_or(fallback);
    }
    bool isNull(int column) const { return m_statement->isNull(column + 1); }
    std::string_view text(int column) { return m_statement->text(column + 1); }
    IssuePlace place() const;
    SourceRef source() const;

    // The interval in columns 0 and 1 when it is sound; else the row is dropped and counted. deviceClock: GPU
    // records of time 0 are records that CUPTI failed to fill in.
    std::optional<Interval> interval(bool deviceClock);
    // The time in column 0, for rows that have just one.
    std::optional<std::int64_t> time();
    void keep(EventKind kind) { m_reader.report.keep(kind); }
    void drop(std::string_view code, std::string_view message, Severity severity = Severity::Warning);

private:
    bool end();
    NsysReader& m_reader;
    std::string m_table;
    std::uint32_t m_tableIndex = 0;
    std::optional<SqliteStatement> m_statement;
    std::vector<bool> m_has;
    std::int64_t m_rowid = 0;
    std::uint64_t m_rows = 0, m_unreported = 0; // rows read; of these not yet in the job's progress
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

} // namespace lacuna::nsys
