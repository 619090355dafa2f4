#pragma once
// The pages of a SQLite file as they lie on disk, for tables that are read from end to end: stepping through
// a statement costs several times what decoding a record costs. Only well-formed trees of rowid tables are
// followed; whatever looks unusual is left to SQLite, which then tells what is wrong. Format: "Database File
// Format", https://www.sqlite.org/fileformat2.html, sections 1.3 (header), 1.6 (b-tree pages), 2.1 (records).

#include "core/base/job_control.h"
#include "core/import/detail/sqlite_db.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lacuna {

using SqliteBytes = std::span<const unsigned char>;

class SqlitePages {
public:
    // None where the main file alone does not hold the truth (write-ahead log, journal, truncated), or its
    // text is not UTF-8. The file stays open for as long as this lives: closing it would drop the locks that
    // SQLite's own connections of this process hold (a rule of POSIX locks).
    static std::optional<SqlitePages> open(const SqliteDb& db);

    SqlitePages(SqlitePages&& other) noexcept;
    SqlitePages& operator=(SqlitePages&&) = delete;
    ~SqlitePages();

    std::size_t pageSize() const { return m_pageSize; }
    std::size_t usableSize() const { return m_usableSize; } // of a page
    std::uint32_t pageCount() const { return m_pageCount; }
    // Reads whole pages from page `first` (the first of the file is 1) on. False: they cannot be read. Any
    // thread may call.
    bool read(std::uint32_t first, std::span<unsigned char> into) const;

private:
    SqlitePages() = default;
    int m_descriptor = -1;
    std::size_t m_pageSize = 0, m_usableSize = 0;
    std::uint32_t m_pageCount = 0;
};

// A leaf of a table and the greatest rowid that the tree has room for in it.
struct SqliteLeaf {
    std::uint32_t page = 0;
    std::int64_t lastRow = 0;
};

// All leaves of the table whose root page this is, by ascending rowid. None when the tree is damaged or is no
// rowid table's, or the job was cancelled. Reads the inner pages: less than a hundredth of the table.
std::optional<std::vector<SqliteLeaf>> leavesOfTable(const SqlitePages& pages, std::uint32_t root,
                                                     const JobControl& job);

// A number of one to nine bytes at `at`, which moves behind it; false when it does not end before `end`.
inline bool readSqliteVarint(const unsigned char*& at, const unsigned char* end, std::uint64_t& value) {
    value = 0;
    for (int i = 0; i < 8 && at < end; ++i) {
        const unsigned char byte = *at++;
        value = value << 7 | (byte & 0x7fu);
        if (byte < 0x80)
            return true;
    }
    if (at >= end)
        return false;
    value = value << 8 | *at++;
    return true;
}

// One row of a leaf: its rowid and its record.
struct SqliteCell {
    std::int64_t rowid = 0;
    SqliteBytes record;
};

// The rows of one leaf page, in the order of the page. Valid while the page's bytes are.
class SqliteLeafCells {
public:
    // False when this is no sound leaf of a rowid table. `page` are the usable bytes of the page.
    bool open(SqliteBytes page, std::size_t pageSize);
    std::size_t size() const { return m_size; }
    // False: the cell is damaged, or a part of it lies on other pages.
    bool cell(std::size_t index, SqliteCell& cell) const;

private:
    SqliteBytes m_page;
    std::size_t m_size = 0;
};

} // namespace lacuna
