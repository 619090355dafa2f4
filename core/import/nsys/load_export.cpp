// The database is opened read-only; tables are read one after the other in a single pass each, with the
// columns that are there.

#include "core/import/nsys/load_export.h"

#include "core/import/nsys/device_lanes.h"

#include <algorithm>

namespace lacuna::nsys {

namespace {

// Rows to expect: the largest rowid of a table costs a few pages, a count would read it all.
std::uint64_t estimateRows(NsysReader& reader) {
    constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 40; // rowids of hostile files are no counts
    std::uint64_t rows = 0;
    for (const std::string& table : reader.tables) {
        if (reader.db.table(table) == nullptr)
            continue;
        auto last = reader.db.prepare("SELECT max(rowid) FROM " + quoteIdentifier(table));
        if (last && last->step() == SqliteStatement::Step::Row)
            rows +=
                std::min(kMaxRows,
                         static_cast<std::uint64_t>(std::max<std::int64_t>(0, last->integer(0).value_or(0))));
    }
    return rows;
}

void closeOpenRanges(NsysReader& reader) {
    const std::int64_t last = reader.builder.lastTimeNs();
    for (const std::uint32_t row : reader.openRanges)
        reader.builder.setEnd(row, std::max(last, reader.builder.beginOf(row)));
}

Error nothingToShow(const NsysReader& reader) {
    if (reader.report.isPartial())
        return {reader.db.isTruncated() ? Errc::Truncated : Errc::Malformed,
                "The file is damaged and none of its events can be read.",
                {},
                "Copy the file again, or export the report again with nsys export --type sqlite."};
    if (reader.report.rowsDropped() > 0)
        return {Errc::Malformed,
                "No row of this Nsight Systems export has usable times.",
                {},
                "Export the report again with nsys export --type sqlite."};
    return {
        Errc::Unsupported,
        "This Nsight Systems export holds no events that Lacuna shows (no CUDA, NVTX or OS runtime rows).",
        {},
        "Capture with nsys profile --trace=cuda,nvtx,osrt and export again."};
}

} // namespace

Status loadExport(SqliteDb& db, std::uint64_t progressBytes, TraceBuilder& into, JobControl& job,
                  unsigned threads) {
    NsysReader reader(db, into, job, progressBytes, threads);
    into.setTimeZero(TimeZero::FileZero);
    into.facts().format = "nsys-sqlite";
    reader.expectRows(estimateRows(reader));
    if (db.isTruncated()) {
        reader.report.note("truncated",
                           "The file is shorter than the database in it; what lies behind its end is lost.",
                           {db.fileSize(), {}, 0}, Severity::Error);
        reader.report.setPartial();
    }
    loadTargetInfo(reader);
    loadDiagnostics(reader);
    DeviceLanes lanes(reader);
    loadApi(reader);
    loadDeviceWork(reader, lanes);
    loadSyncRows(reader, lanes);
    loadNvtx(reader);
    loadOsRuntime(reader);
    loadOverhead(reader);
    loadLibraryCalls(reader);
    loadGraphMarks(reader);
    loadCounters(reader, lanes);
    loadNetworkMetrics(reader);
    loadMemoryMarks(reader, lanes);
    loadFileAccess(reader);
    loadSchedule(reader);
    loadSamples(reader);
    noteUnreadTables(reader);
    closeOpenRanges(reader);
    if (reader.cancelled || job.cancelled())
        return cancelledError();
    if (into.size() == 0 && reader.report.kept(EventKind::Counter) == 0)
        return nothingToShow(reader);
    return ok();
}

} // namespace lacuna::nsys
