#pragma once
// Rows of one table on their way from a database connection to the reader of the table: the rowid and the
// columns that were asked for. Batches are filled on several threads and read on one.

#include "core/base/column.h"
#include "core/import/detail/sqlite_db.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::nsys {

// A query over one table. Column 0 of the statement is the rowid.
struct TableQuery {
    std::string sql; // SELECT rowid, ... FROM table; without a condition
    std::vector<bool> isText;
};

// Rows first..last by rowid.
struct RowRange {
    std::int64_t first = 0, last = 0;
};

class RowBatch {
public:
    static constexpr std::size_t kRows = 2048; // all columns stay in the second-level cache
    // A batch ends early when its text grows beyond this, so that memory stays bounded.
    static constexpr std::size_t kTextBytes = std::size_t{1} << 20;

    // A row that is being filled; columns that are not set are NULL.
    class Row {
    public:
        void setInteger(unsigned column, std::int64_t value) {
            m_values[column] = value;
            m_nulls &= ~(1u << column);
            m_integers |= 1u << column;
        }
        // As SqliteStatement::integer() takes doubles; false when it is no whole number.
        bool setDouble(unsigned column, double value);
        void setOther(unsigned column) { m_nulls &= ~(1u << column); } // what is no whole number
        void setText(unsigned column, std::string_view text);

    private:
        friend class RowBatch;
        RowBatch* m_batch = nullptr;
        std::int64_t* m_values = nullptr;
        std::int64_t m_rowid = 0;
        std::uint32_t m_nulls = UINT32_MAX, m_integers = 0;
    };

    void reset(std::size_t columns);
    std::size_t rows() const { return m_rowids.size(); }
    bool isFull() const { return rows() >= kRows || m_text.size() >= kTextBytes; }
    // The row counts once it is committed; without, the next one takes its place.
    Row newRow(std::int64_t rowid);
    void commit(const Row& row) {
        m_rowids.push_back(row.m_rowid);
        m_nulls.push_back(row.m_nulls);
        m_integers.push_back(row.m_integers);
    }
    // Copies the row on which the statement stands.
    void add(SqliteStatement& statement, const TableQuery& query);

    std::int64_t rowid(std::size_t row) const { return m_rowids[row]; }
    bool isNull(std::size_t row, std::size_t column) const { return (m_nulls[row] >> column & 1u) != 0; }
    bool isInteger(std::size_t row, std::size_t column) const {
        return (m_integers[row] >> column & 1u) != 0;
    }
    // Only where isInteger().
    std::int64_t integer(std::size_t row, std::size_t column) const {
        return m_values[row * m_columns + column];
    }
    // Only of columns asked for as text; empty for NULL.
    std::string_view text(std::size_t row, std::size_t column) const;

private:
    std::size_t m_columns = 0;
    std::vector<std::int64_t> m_rowids;
    WorkColumn<std::int64_t> m_values;              // row after row; text: place and length; NULL: anything
    std::vector<std::uint32_t> m_nulls, m_integers; // one bit per column
    std::string m_text;
};

// One statement over one table on one connection. Rows come by ascending rowid or not at all: a damaged tree
// may lead back to pages that were read.
class TableScan {
public:
    enum class State : std::uint8_t { More, Done, Failed, OutOfOrder };

    TableScan() = default;
    // All rows, or only those with first <= rowid <= last once setRange() was called.
    static Result<TableScan> all(SqliteDb& db, const TableQuery& query);
    static Result<TableScan> ranges(SqliteDb& db, const TableQuery& query);
    void setRange(std::int64_t first, std::int64_t last);
    // Fills an empty batch. More: it is full and rows may be left.
    State fill(RowBatch& batch, const TableQuery& query);
    // The same behind the rows that the batch holds.
    State append(RowBatch& batch, const TableQuery& query);
    // The last row that was read, or the one before the range; none at the start of a whole table.
    std::optional<std::int64_t> lastRow() const { return m_lastRow; }

private:
    explicit TableScan(SqliteStatement statement) : m_statement(std::move(statement)) {}
    std::optional<SqliteStatement> m_statement;
    std::optional<std::int64_t> m_lastRow;
};

} // namespace lacuna::nsys
