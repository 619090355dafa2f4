// Importer of Nsight Systems SQLite exports. The database is opened read-only; tables are read one after the
// other in a single pass each, with the columns that are there; the readers are in core/import/nsys/.

#include "core/import/nsys_sqlite.h"

#include "core/import/byte_source.h"
#include "core/import/nsys/details.h"
#include "core/import/nsys/device_lanes.h"
#include "core/import/nsys/recognise.h"

#include <algorithm>

namespace lacuna {

namespace {

constexpr std::string_view kFormat = "nsys-sqlite";

// Rows to expect: the largest rowid of a table costs a few pages, a count would read it all.
std::uint64_t estimateRows(nsys::NsysReader& reader) {
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

void closeOpenRanges(nsys::NsysReader& reader) {
    const std::int64_t last = reader.builder.lastTimeNs();
    for (const std::uint32_t row : reader.openRanges)
        reader.builder.setEnd(row, std::max(last, reader.builder.beginOf(row)));
}

Error nothingToShow(const nsys::NsysReader& reader) {
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

Status loadDatabase(SqliteDb& db, std::uint64_t progressBytes, TraceBuilder& into, JobControl& job) {
    nsys::NsysReader reader(db, into, job, progressBytes);
    into.setTimeZero(TimeZero::FileZero);
    into.facts().format = kFormat;
    reader.expectRows(estimateRows(reader));
    if (db.isTruncated()) {
        reader.report.note("truncated",
                           "The file is shorter than the database in it; what lies behind its end is lost.",
                           {db.fileSize(), {}, 0}, Severity::Error);
        reader.report.setPartial();
    }
    nsys::loadTargetInfo(reader);
    nsys::loadDiagnostics(reader);
    nsys::DeviceLanes lanes(reader);
    nsys::loadApi(reader);
    nsys::loadDeviceWork(reader, lanes);
    nsys::loadSyncRows(reader, lanes);
    nsys::loadNvtx(reader);
    nsys::loadOsRuntime(reader);
    nsys::loadOverhead(reader);
    nsys::loadLibraryCalls(reader);
    nsys::loadGraphMarks(reader);
    nsys::loadCounters(reader, lanes);
    nsys::noteUnreadTables(reader);
    closeOpenRanges(reader);
    if (reader.cancelled || job.cancelled())
        return Error{Errc::Cancelled, "Stopped.", {}, {}};
    if (into.size() == 0 && reader.report.kept(EventKind::Counter) == 0)
        return nothingToShow(reader);
    return ok();
}

class NsysSqliteImporter final : public Importer {
public:
    std::string_view id() const override { return kFormat; }

    Confidence sniff(const SniffInput& input) const override {
        const std::string_view head(static_cast<const char*>(static_cast<const void*>(input.head.data())),
                                    input.head.size());
        // Also for other SQLite files: load() says what they are.
        return SqliteDb::looksLike(head) ? Confidence::Certain : Confidence::No;
    }

    Status load(ByteSource& bytes, const std::filesystem::path& file, TraceBuilder& into, JobControl& job,
                const LoadOptions&) const override {
        const std::string fileName = file.filename().string();
        const bool inPlace = !file.empty() && !bytes.isCompressed();
        // Unpacking is half of the work of a compressed file.
        const std::uint64_t unpackBytes = inPlace ? 0 : bytes.storedSize() / 2;
        std::uint64_t advanced = 0;
        auto db = inPlace ? SqliteDb::open(file, &job)
                          : SqliteDb::openUnpacked(
                                [&](std::span<std::byte> buffer) {
                                    auto count = bytes.read(buffer);
                                    const std::uint64_t done = std::min(bytes.storedDone() / 2, unpackBytes);
                                    job.advance(done - std::min(done, advanced));
                                    advanced = std::max(advanced, done);
                                    return count;
                                },
                                &job);
        if (!db) {
            Error error = db.error();
            error.place.clear(); // the whole file; a private copy's name would only confuse
            return error;
        }
        if (auto foreign = nsys::foreignDatabase(*db, fileName))
            return *foreign;
        if (!bytes.damage().empty()) {
            into.report().note("damaged_gzip", "The compressed file is damaged: " + bytes.damage() + ".", {},
                               Severity::Error);
            if (bytes.isCut())
                into.report().setPartial();
        }
        return loadDatabase(*db, bytes.storedSize() - advanced, into, job);
    }

    Result<std::unique_ptr<DetailReader>> details(std::shared_ptr<ByteSource> bytes,
                                                  const std::filesystem::path& file) const override {
        return nsys::makeDetails(std::move(bytes), file);
    }
};

} // namespace

std::unique_ptr<const Importer> makeNsysSqliteImporter() {
    return std::make_unique<NsysSqliteImporter>();
}

} // namespace lacuna
