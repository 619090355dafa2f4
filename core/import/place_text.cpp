#include "core/import/place_text.h"

#include "core/import/byte_source.h"
#include "core/import/detail/sqlite_db.h"
#include "core/import/nsys/report_export.h"
#include "core/import/nsys/table_list.h"

#include <algorithm>
#include <array>

namespace lacuna {

namespace {

constexpr std::uint64_t kBefore = std::uint64_t{2} << 10, kAfter = std::uint64_t{6} << 10;
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kMaxValue = std::size_t{64} << 10;
constexpr std::size_t kRowsPerLook = std::size_t{1} << 20; // a millisecond

Error notThere() {
    return {Errc::Io, "This place is not in the file any more.", {}, "Open the file again."};
}

// Behind the bracket that closes the one at `first`, or the end of the text.
std::size_t endOfObject(std::string_view text, std::size_t first) {
    int depth = 0;
    bool isInString = false;
    for (std::size_t at = first; at < text.size(); ++at) {
        const char c = text[at];
        if (isInString) {
            at += c == '\\' ? 1 : 0;
            isInString = c != '"';
        } else if (c == '"') {
            isInString = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            return at + 1;
        }
    }
    return text.size();
}

// What was not read yet cannot be read again.
Status readUpTo(ByteSource& bytes, std::uint64_t end, JobControl& job) {
    std::vector<std::byte> piece(kPiece);
    for (std::uint64_t done = 0; done < end;) {
        if (job.cancelled())
            return cancelledError();
        const auto got = bytes.read(piece);
        if (!got)
            return got.error();
        if (*got == 0)
            break;
        done += *got;
    }
    return ok();
}

Result<PlaceText> readBytes(ByteSource& bytes, std::uint64_t offset, JobControl& job) {
    PlaceText place;
    place.begin = offset - std::min(offset, kBefore);
    if (bytes.isCompressed())
        if (const Status read = readUpTo(bytes, offset + kAfter, job); !read)
            return read.error();
    place.text.resize(static_cast<std::size_t>(offset - place.begin + kAfter));
    const auto got = bytes.readAt(place.begin, std::as_writable_bytes(std::span(place.text)));
    if (!got)
        return got.error();
    place.text.resize(*got);
    place.mark = static_cast<std::size_t>(offset - place.begin);
    if (place.text.size() < place.mark || (place.text.empty() && offset != 0))
        return notThere();
    if (place.mark < place.text.size()) {
        place.markEnd = place.text[place.mark] == '{' ? endOfObject(place.text, place.mark) : place.mark + 1;
        place.source = SourceRef::offset(offset);
    } else {
        place.markEnd = place.mark;
    }
    return place;
}

// Of a report the export that was read instead of it.
Result<SqliteDb> openDatabase(const std::filesystem::path& file, ByteSource& bytes, JobControl& job,
                              const LoadOptions& options) {
    std::array<char, 64> head{};
    const auto got = bytes.readAt(0, std::as_writable_bytes(std::span(head)));
    if (!got)
        return got.error();
    if (!SqliteDb::looksLike({head.data(), *got})) {
        const auto exported = nsys::exportPath(file, nsys::exportFolder(options.cacheFolder));
        return exported ? SqliteDb::open(*exported, &job) : Result<SqliteDb>(exported.error());
    }
    if (!bytes.isCompressed() && !isStandardInput(file))
        return SqliteDb::open(file, &job);
    return SqliteDb::openUnpacked([&](std::span<std::byte> buffer) { return bytes.read(buffer); }, &job);
}

std::string valueText(SqliteStatement& row, int column) {
    if (row.isNull(column))
        return "NULL";
    if (row.isBlob(column))
        return "(" + std::to_string(row.byteCount(column)) + " bytes)";
    return std::string(row.text(column).substr(0, kMaxValue));
}

Result<PlaceText> readRow(SqliteDb& db, const IssuePlace& at) {
    const SqliteTable* table = db.table(at.table);
    if (table == nullptr)
        return notThere();
    auto row = db.prepare("SELECT * FROM " + quoteIdentifier(table->name) + " WHERE rowid = ?1");
    if (!row)
        return row.error();
    row->bind(1, at.row);
    if (row->step() != SqliteStatement::Step::Row)
        return db.wasInterrupted() ? cancelledError() : notThere();
    PlaceText place;
    for (int i = 0; i < row->columnCount(); ++i)
        place.columns.emplace_back(row->columnName(i), valueText(*row, i));
    const auto tables = nsys::eventTables(db);
    if (const auto known = std::find(tables.begin(), tables.end(), table->name); known != tables.end())
        place.source = SourceRef::row(static_cast<std::uint32_t>(known - tables.begin()), at.row);
    return place;
}

} // namespace

Result<PlaceText> readPlace(const std::filesystem::path& file, const IssuePlace& place, JobControl& job,
                            const LoadOptions& options) {
    auto bytes = openFile(file, options.member, &job);
    if (!bytes)
        return bytes.error();
    if (place.offset)
        return readBytes(**bytes, *place.offset, job);
    auto db = openDatabase(file, **bytes, job, options);
    return db ? readRow(*db, place) : Result<PlaceText>(db.error());
}

EventId eventAtSource(const Trace& trace, SourceRef source, JobControl& job) {
    const auto& sources = trace.events().source;
    for (std::size_t first = 0; first < sources.size() && !job.cancelled(); first += kRowsPerLook) {
        const auto rows = std::span(sources).subspan(first, std::min(kRowsPerLook, sources.size() - first));
        if (const auto at = std::find(rows.begin(), rows.end(), source.bits); at != rows.end())
            return EventId{static_cast<std::uint32_t>(first + static_cast<std::size_t>(at - rows.begin()))};
    }
    return {};
}

} // namespace lacuna
