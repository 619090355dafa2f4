#include "core/import/nsys/column_scan.h"

#include "core/import/nsys/row_batch.h"

#include <vector>

namespace lacuna::nsys {

namespace {

class ColumnScan {
public:
    ColumnScan(SqliteDb& db, const SqliteTable& table, std::span<const std::string_view> columns,
               const TableColumns::Visit& visit, JobControl& job)
        : m_db(db), m_visit(visit), m_job(job), m_values(columns.size()) {
        m_query.sql = "SELECT rowid";
        for (const std::string_view name : columns) {
            const SqliteColumn* column = table.column(name);
            m_query.sql += ", " + (column == nullptr ? std::string("NULL") : quoteIdentifier(column->name));
        }
        m_query.sql += " FROM " + quoteIdentifier(table.name);
        m_query.isText.assign(columns.size(), false);
    }

    Status run(std::span<const TableColumns::RowSpan> rows) {
        auto scan = rows.empty() ? TableScan::all(m_db, m_query) : TableScan::ranges(m_db, m_query);
        if (!scan)
            return scan.error();
        if (rows.empty())
            return drain(*scan);
        for (const TableColumns::RowSpan& span : rows) {
            scan->setRange(span.first, span.last);
            if (Status done = drain(*scan); !done)
                return done;
        }
        return ok();
    }

private:
    Status drain(TableScan& scan) {
        while (true) {
            if (m_job.cancelled())
                return Error{Errc::Cancelled, "Stopped.", {}, {}};
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
            for (std::size_t c = 0; c < m_values.size(); ++c)
                m_values[c] = m_batch.isInteger(row, c) ? m_batch.integer(row, c) : TableColumns::kNoValue;
            m_visit(m_batch.rowid(row), m_values);
        }
    }

    SqliteDb& m_db;
    const TableColumns::Visit& m_visit;
    JobControl& m_job;
    TableQuery m_query;
    RowBatch m_batch;
    std::vector<std::int64_t> m_values;
};

} // namespace

Status scanColumns(SqliteDb& db, std::string_view table, std::span<const std::string_view> columns,
                   std::span<const TableColumns::RowSpan> rows, const TableColumns::Visit& visit,
                   JobControl& job) {
    const SqliteTable* found = db.table(table);
    return found == nullptr ? ok() : ColumnScan(db, *found, columns, visit, job).run(rows);
}

} // namespace lacuna::nsys
