#include "core/import/nsys/leaf_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

namespace lacuna::nsys {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{128}
                                    << 10; // of pages: with its rows in the second-level cache

// Serial types of a record: NULL, integers of six sizes, a double, 0, 1, two unused, then blobs and texts by
// length.
constexpr std::uint64_t kNullType = 0, kLargestInteger = 6, kDoubleType = 7, kZeroType = 8, kOneType = 9,
                        kFirstBlob = 12;
constexpr std::array<std::uint8_t, 10> kTypeBytes{0, 1, 2, 3, 4, 6, 8, 8, 0, 0};

std::uint64_t bigEndian64(const unsigned char* p) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    return std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
}

// The column would be asked as a number but holds doubles, or has a value of its own where a record ends
// early.
bool isComputedOrReal(SqliteStatement& info, bool isText) {
    std::string type(info.text(2));
    std::transform(type.begin(), type.end(), type.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    const auto says = [&](const char* word) { return type.find(word) != std::string::npos; };
    return (!isText && (says("REAL") || says("FLOA") || says("DOUB"))) || !info.isNull(4);
}

} // namespace

std::unique_ptr<const LeafTable> LeafTable::find(SqliteDb& db, const SqlitePages& pages,
                                                 const SqliteTable& table,
                                                 std::span<const std::string_view> wanted,
                                                 const TableQuery& query, const JobControl& job,
                                                 std::size_t fewLeaves) {
    std::unique_ptr<LeafTable> found(new LeafTable(pages));
    std::string sql = "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = '";
    for (const char c : table.name)
        sql.append(c == '\'' ? 2 : 1, c);
    auto root = db.prepare(sql + "'");
    if (!root || root->step() != SqliteStatement::Step::Row || !found->findColumns(db, table, wanted, query))
        return nullptr;
    const std::int64_t page = root->integer(0).value_or(0);
    if (page < 2 || page > pages.pageCount() || root->step() != SqliteStatement::Step::Done)
        return nullptr;
    auto leaves = leavesOfTable(pages, static_cast<std::uint32_t>(page), job);
    if (!leaves || leaves->size() < fewLeaves)
        return nullptr;
    found->m_leaves = std::move(*leaves);
    found->cut();
    return found;
}

// Records hold the columns in the order of the table. A key may stand for the rowid and is not stored then.
bool LeafTable::findColumns(SqliteDb& db, const SqliteTable& table, std::span<const std::string_view> wanted,
                            const TableQuery& query) {
    m_columns = wanted.size();
    auto info = db.prepare("PRAGMA table_xinfo(" + quoteIdentifier(table.name) + ")");
    if (!info)
        return false;
    if (table.column("rowid") != nullptr) // a column of that name hides the key
        return false;
    std::size_t last = 0, mapped = 0;
    while (info->step() == SqliteStatement::Step::Row) {
        if (info->integer(6).value_or(1) != 0) // computed
            return false;
        const std::string_view name = info->text(1);
        Field& field = m_fields.emplace_back();
        const auto at = std::find(wanted.begin(), wanted.end(), name);
        if (at == wanted.end())
            continue;
        field.column = static_cast<int>(at - wanted.begin());
        field.isText = query.isText[static_cast<std::size_t>(field.column)];
        if (info->integer(5).value_or(1) != 0 || isComputedOrReal(*info, field.isText))
            return false;
        ++mapped;
        last = m_fields.size();
    }
    m_fields.resize(last);
    const auto named = std::count_if(wanted.begin(), wanted.end(), [](auto name) { return !name.empty(); });
    return mapped == static_cast<std::size_t>(named);
}

void LeafTable::cut() {
    const std::size_t leaves = std::max<std::size_t>(1, kPieceBytes / m_pages.pageSize());
    m_firstLeaf.reserve(m_leaves.size() / leaves + 2);
    for (std::size_t first = 0; first < m_leaves.size(); first += leaves)
        m_firstLeaf.push_back(first);
    m_firstLeaf.push_back(m_leaves.size());
}

RowRange LeafTable::bounds(std::size_t piece) const {
    const std::size_t first = m_firstLeaf[piece], last = m_firstLeaf[piece + 1] - 1;
    return {first == 0 ? INT64_MIN : m_leaves[first - 1].lastRow + 1, m_leaves[last].lastRow};
}

std::optional<RowRange> LeafTable::read(std::size_t piece, RowBatch& batch,
                                        std::vector<unsigned char>& buffer) const {
    batch.reset(m_columns);
    const RowRange bounds = this->bounds(piece);
    const std::size_t first = m_firstLeaf[piece], last = m_firstLeaf[piece + 1];
    buffer.resize((last - first) * m_pages.pageSize());
    if (!readPages(first, last, buffer))
        return bounds;
    std::int64_t next = bounds.first;
    for (std::size_t leaf = first; leaf < last; ++leaf) {
        const auto page =
            SqliteBytes(buffer).subspan((leaf - first) * m_pages.pageSize(), m_pages.usableSize());
        if (!addPage(page, {bounds.first, m_leaves[leaf].lastRow}, next, batch))
            return RowRange{next, bounds.last};
        if (m_leaves[leaf].lastRow != INT64_MAX)
            next = m_leaves[leaf].lastRow + 1;
    }
    return std::nullopt;
}

// Leaves that follow one another in the file are read at once.
bool LeafTable::readPages(std::size_t first, std::size_t last, std::span<unsigned char> into) const {
    for (std::size_t leaf = first; leaf < last;) {
        std::size_t count = 1;
        while (leaf + count < last && m_leaves[leaf + count].page == m_leaves[leaf].page + count)
            ++count;
        if (!m_pages.read(m_leaves[leaf].page,
                          into.subspan((leaf - first) * m_pages.pageSize(), count * m_pages.pageSize())))
            return false;
        leaf += count;
    }
    return true;
}

// next: the smallest rowid that may come.
bool LeafTable::addPage(SqliteBytes page, const RowRange& bounds, std::int64_t& next, RowBatch& batch) const {
    SqliteLeafCells cells;
    if (!cells.open(page, m_pages.pageSize()))
        return false;
    SqliteCell cell;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!cells.cell(i, cell) || cell.rowid < next || cell.rowid > bounds.last ||
            cell.rowid == INT64_MAX || !addRow(cell, batch))
            return false;
        next = cell.rowid + 1;
    }
    return true;
}

// What a record does not reach was added to the table later and is NULL.
bool LeafTable::addRow(const SqliteCell& cell, RowBatch& batch) const {
    const unsigned char* type = cell.record.data();
    const unsigned char* const end = type + cell.record.size();
    std::uint64_t headerBytes = 0;
    if (!readSqliteVarint(type, end, headerBytes) || headerBytes > cell.record.size())
        return false;
    const unsigned char* const typesEnd = cell.record.data() + headerBytes;
    if (type > typesEnd)
        return false;
    const unsigned char* value = typesEnd;
    RowBatch::Row row = batch.newRow(cell.rowid);
    for (const Field& field : m_fields) {
        if (type >= typesEnd)
            break;
        std::uint64_t serial = *type;
        if (serial < 0x80)
            ++type;
        else if (!readSqliteVarint(type, typesEnd, serial))
            return false;
        if (serial == 10 || serial == 11)
            return false;
        const std::uint64_t bytes = serial < kFirstBlob ? kTypeBytes[serial] : (serial - kFirstBlob) / 2;
        if (bytes > static_cast<std::uint64_t>(end - value))
            return false;
        if (field.column >= 0 && serial != kNullType) {
            const auto c = static_cast<unsigned>(field.column);
            if (field.isText) {
                if (serial < kFirstBlob || serial % 2 == 0) // SQLite knows how to write it as text
                    return false;
                row.setText(c, {static_cast<const char*>(static_cast<const void*>(value)), bytes});
            } else if (serial <= kLargestInteger) {
                // The eight bytes that end with the number: a page's header lies before it.
                const auto shift = static_cast<int>(64 - 8 * bytes);
                row.setInteger(c,
                               static_cast<std::int64_t>(bigEndian64(value + bytes - 8) << shift) >> shift);
            } else if (serial == kZeroType || serial == kOneType) {
                row.setInteger(c, serial == kOneType ? 1 : 0);
            } else if (serial != kDoubleType ||
                       !row.setDouble(c, std::bit_cast<double>(bigEndian64(value)))) {
                row.setOther(c);
            }
        }
        value += bytes;
    }
    batch.commit(row);
    return true;
}

} // namespace lacuna::nsys
