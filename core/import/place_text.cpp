#include "core/import/place_text.h"

#include "core/import/byte_source.h"
#include "core/import/detail/sqlite_db.h"

#include <algorithm>
#include <vector>

namespace lacuna {

namespace {

constexpr std::uint64_t kBefore = std::uint64_t{2} << 10, kAfter = std::uint64_t{6} << 10;
constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kMaxValue = std::size_t{64} << 10;

Error stopped() {
    return {Errc::Cancelled, "Stopped.", {}, {}};
}

Error notThere() {
    return {Errc::Io, "This place is not in the file any more.", {}, "Open the file again."};
}

Result<PlaceText> readBytes(ByteSource& bytes, std::uint64_t offset, JobControl& job) {
    PlaceText place;
    place.begin = offset - std::min(offset, kBefore);
    // What was not read yet cannot be read again.
    std::vector<std::byte> piece(bytes.isCompressed() ? kPiece : 0);
    for (std::uint64_t done = 0; !piece.empty() && done < offset + kAfter;) {
        if (job.cancelled())
            return stopped();
        const auto got = bytes.read(piece);
        if (!got)
            return got.error();
        if (*got == 0)
            break;
        done += *got;
    }
    place.text.resize(static_cast<std::size_t>(offset - place.begin + kAfter));
    const auto got = bytes.readAt(place.begin, std::as_writable_bytes(std::span(place.text)));
    if (!got)
        return got.error();
    place.text.resize(*got);
    if (place.text.empty())
        return notThere();
    place.mark = std::min(place.text.size(), static_cast<std::size_t>(offset - place.begin));
    return place;
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
        return notThere();
    PlaceText place;
    for (int i = 0; i < row->columnCount(); ++i) {
        place.text += row->columnName(i) + " = ";
        if (row->isNull(i))
            place.text += "NULL";
        else if (row->isBlob(i))
            place.text += "(" + std::to_string(row->byteCount(i)) + " bytes)";
        else
            place.text += row->text(i).substr(0, kMaxValue);
        place.text += '\n';
    }
    return place;
}

} // namespace

Result<PlaceText> readPlace(const std::filesystem::path& file, const IssuePlace& place, JobControl& job) {
    auto bytes = openFile(file);
    if (!bytes)
        return bytes.error();
    if (place.offset)
        return readBytes(**bytes, *place.offset, job);
    auto db = (*bytes)->isCompressed()
                  ? SqliteDb::openUnpacked(
                        [&](std::span<std::byte> buffer) { return (*bytes)->read(buffer); }, &job)
                  : SqliteDb::open(file, &job);
    if (!db)
        return db.error();
    return readRow(*db, place);
}

} // namespace lacuna
