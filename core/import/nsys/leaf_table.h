#pragma once
// One table of an export, decoded from its pages instead of asked of SQLite: several times faster, and what
// the pages hold is what the query would answer. A table is cut into pieces of some pages that threads may
// take in any order. A piece whose pages are unusual in any way (damage, rows that lie on several pages, a
// value of another type than usual) ends there; what is left of it is a range of rowids to ask SQLite for.

#include "core/import/detail/sqlite_pages.h"
#include "core/import/nsys/row_batch.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lacuna::nsys {

class LeafTable {
public:
    static constexpr std::size_t kFewLeaves = 32; // below, SQLite is as good

    // wanted: one name for each column of the query, empty where the table lacks it. Null where the table
    // must be read by SQLite: it is small, has no rowid, or computes or defaults a wanted column.
    static std::unique_ptr<const LeafTable> find(SqliteDb& db, const SqlitePages& pages,
                                                 const SqliteTable& table,
                                                 std::span<const std::string_view> wanted,
                                                 const TableQuery& query, const JobControl& job,
                                                 std::size_t fewLeaves = kFewLeaves);

    std::size_t pieces() const { return m_firstLeaf.size() - 1; }
    RowRange bounds(std::size_t piece) const;
    // Fills the batch with the rows of a piece; what is left of it for SQLite. Any thread may call; the
    // buffer belongs to the caller and is used again.
    std::optional<RowRange> read(std::size_t piece, RowBatch& batch,
                                 std::vector<unsigned char>& buffer) const;

private:
    explicit LeafTable(const SqlitePages& pages) : m_pages(pages) {}
    bool findColumns(SqliteDb& db, const SqliteTable& table, std::span<const std::string_view> wanted,
                     const TableQuery& query);
    void cut();
    bool readPages(std::size_t first, std::size_t last, std::span<unsigned char> into) const;
    bool addPage(SqliteBytes page, const RowRange& bounds, std::int64_t& next, RowBatch& batch) const;
    bool addRow(const SqliteCell& cell, RowBatch& batch) const;

    struct Field {
        int column = -1; // of the query; -1: nobody wants it
        bool isText = false;
    };
    const SqlitePages& m_pages;
    std::size_t m_columns = 0;   // of the query
    std::vector<Field> m_fields; // of a record, up to the last one that is wanted
    std::vector<SqliteLeaf> m_leaves;
    std::vector<std::size_t> m_firstLeaf; // of every piece, and the end
};

} // namespace lacuna::nsys
