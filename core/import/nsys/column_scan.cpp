#include "core/import/nsys/column_scan.h"

#include "core/import/nsys/leaf_table.h"
#include "core/import/nsys/row_batch.h"

#include <vector>

namespace lacuna::nsys {

namespace {

constexpr std::int64_t kFewWantedRows = 4096; // below, SQLite finds them as fast

bool wantsMany(std::span<const TableColumns::RowSpan> rows) {
    std::int64_t count = 0;
    for (const TableColumns::RowSpan& span : rows)
        count += span.last - span.first + 1;
    return rows.empty() || count >= kFewWantedRows;
}

class ColumnScan {
public:
    ColumnScan(SqliteDb& db, const SqliteTable& table, std::span<const std::string_view> columns,
               std::span<const TableColumns::RowSpan> rows, const TableColumns::Visit& visit, JobControl& job)
        : m_db(db), m_table(table), m_rows(rows), m_visit(visit), m_job(job), m_values(columns.size()) {
        m_query.sql = "SELECT rowid";
        for (const std::string_view name : columns) {
            const SqliteColumn* column = table.column(name);
            m_names.push_back(column == nullptr ? std::string_view() : column->name);
            m_query.sql += ", " + (column == nullptr ? std::string("NULL") : quoteIdentifier(column->name));
        }
        m_query.sql += " FROM " + quoteIdentifier(table.name);
        m_query.isText.assign(columns.size(), false);
    }

    Status run(const SqlitePages* pages) {
        const auto leaves = pages == nullptr || !wantsMany(m_rows)
                                ? nullptr
                                : LeafTable::find(m_db, *pages, m_table, m_names, m_query, m_job);
        if (leaves)
            return decode(*leaves);
        auto scan = m_rows.empty() ? TableScan::all(m_db, m_query) : TableScan::ranges(m_db, m_query);
        if (!scan)
            return scan.error();
        if (m_rows.empty())
            return drain(*scan);
        for (const TableColumns::RowSpan& span : m_rows) {
            scan->setRange(span.first, span.last);
            if (Status done = drain(*scan); !done)
                return done;
        }
        return ok();
    }

private:
    // Pieces without wanted rows are not read.
    Status decode(const LeafTable& leaves) {
        std::vector<unsigned char> buffer;
        for (std::size_t piece = 0; piece < leaves.pieces(); ++piece) {
            if (m_job.cancelled())
                return cancelledError();
            const RowRange bounds = leaves.bounds(piece);
            while (m_span < m_rows.size() && m_rows[m_span].last < bounds.first)
                ++m_span;
            if (!m_rows.empty() && (m_span == m_rows.size() || m_rows[m_span].first > bounds.last))
                continue;
            const auto rest = leaves.read(piece, m_batch, buffer);
            visitBatch();
            if (!rest)
                continue;
            auto scan = TableScan::ranges(m_db, m_query);
            if (!scan)
                return scan.error();
            scan->setRange(rest->first, rest->last);
            if (Status done = drain(*scan); !done)
                return done;
        }
        return ok();
    }

    Status drain(TableScan& scan) {
        while (true) {
            if (m_job.cancelled())
                return cancelledError();
            const TableScan::State state = scan.fill(m_batch, m_query);
            visitBatch();
            if (state == TableScan::State::Done)
                return ok();
            if (state != TableScan::State::More)
                return Error{Errc::Io,
                             "A table of the file could not be read again: " + m_db.lastError(),
                             {},
                             "Open the file again."};
        }
    }

    void visitBatch() {
        for (std::size_t row = 0; row < m_batch.rows(); ++row) {
            if (!isWanted(m_batch.rowid(row)))
                continue;
            for (std::size_t c = 0; c < m_values.size(); ++c)
                m_values[c] = m_batch.isInteger(row, c) ? m_batch.integer(row, c) : TableColumns::kNoValue;
            m_visit(m_batch.rowid(row), m_values);
        }
    }

    // Asked by ascending row.
    bool isWanted(std::int64_t row) {
        if (m_rows.empty())
            return true;
        while (m_span < m_rows.size() && m_rows[m_span].last < row)
            ++m_span;
        return m_span < m_rows.size() && m_rows[m_span].first <= row;
    }

    SqliteDb& m_db;
    const SqliteTable& m_table;
    std::span<const TableColumns::RowSpan> m_rows;
    std::size_t m_span = 0; // the first that may still come
    const TableColumns::Visit& m_visit;
    JobControl& m_job;
    TableQuery m_query;
    std::vector<std::string_view> m_names; // of the columns; empty where the table lacks one
    RowBatch m_batch;
    std::vector<std::int64_t> m_values;
};

} // namespace

Status scanColumns(SqliteDb& db, const SqlitePages* pages, std::string_view table,
                   std::span<const std::string_view> columns, std::span<const TableColumns::RowSpan> rows,
                   const TableColumns::Visit& visit, JobControl& job) {
    const SqliteTable* found = db.table(table);
    return found == nullptr ? ok() : ColumnScan(db, *found, columns, rows, visit, job).run(pages);
}

} // namespace lacuna::nsys
