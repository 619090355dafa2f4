#include "core/import/nsys/row_batch.h"

#include <algorithm>

namespace lacuna::nsys {

void RowBatch::reset(std::size_t columns) {
    if (m_text.capacity() > 4 * kTextBytes)
        m_text = {}; // one huge text must not stay
    m_text.clear();
    m_rowids.clear();
    m_nulls.clear();
    m_integers.clear();
    m_columns = columns;
}

RowBatch::Row RowBatch::newRow(std::int64_t rowid) {
    const std::size_t first = rows() * m_columns;
    if (m_values.size() < first + m_columns) {
        const std::size_t room = std::max(kRows, 2 * rows());
        m_values.resize(room * m_columns);
        m_rowids.reserve(room);
        m_nulls.reserve(room);
        m_integers.reserve(room);
    }
    Row row;
    row.m_batch = this;
    row.m_values = m_values.data() + first;
    row.m_rowid = rowid;
    return row;
}

// Where it starts in m_text (upper half) and how long it is.
void RowBatch::Row::setText(unsigned column, std::string_view text) {
    std::string& all = m_batch->m_text;
    m_values[column] = static_cast<std::int64_t>(std::uint64_t{all.size()} << 32 | text.size());
    all.append(text);
    m_nulls &= ~(1u << column);
}

bool RowBatch::Row::setDouble(unsigned column, double value) {
    const auto whole = wholeNumber(value);
    if (whole)
        setInteger(column, *whole);
    return whole.has_value();
}

void RowBatch::add(SqliteStatement& statement, const TableQuery& query) {
    Row row = newRow(statement.integer(0).value_or(0));
    for (unsigned c = 0; c < query.isText.size(); ++c) {
        const int column = static_cast<int>(c) + 1;
        if (query.isText[c]) {
            if (!statement.isNull(column))
                row.setText(c, statement.text(column));
        } else if (const auto number = statement.integer(column)) {
            row.setInteger(c, *number);
        } else if (!statement.isNull(column)) {
            row.setOther(c);
        }
    }
    commit(row);
}

std::string_view RowBatch::text(std::size_t row, std::size_t column) const {
    if (isNull(row, column))
        return {};
    const auto value = static_cast<std::uint64_t>(m_values[row * m_columns + column]);
    return std::string_view(m_text).substr(value >> 32, value & 0xffffffffu);
}

Result<TableScan> TableScan::all(SqliteDb& db, const TableQuery& query) {
    auto statement = db.prepare(query.sql);
    if (!statement)
        return statement.error();
    return TableScan(std::move(*statement));
}

Result<TableScan> TableScan::ranges(SqliteDb& db, const TableQuery& query) {
    auto statement = db.prepare(query.sql + " WHERE rowid BETWEEN ?1 AND ?2");
    if (!statement)
        return statement.error();
    return TableScan(std::move(*statement));
}

void TableScan::setRange(std::int64_t first, std::int64_t last) {
    m_statement->reset();
    m_statement->bind(1, first);
    m_statement->bind(2, last);
    m_lastRow = first == INT64_MIN ? std::nullopt : std::optional(first - 1); // what comes must lie behind it
}

TableScan::State TableScan::fill(RowBatch& batch, const TableQuery& query) {
    batch.reset(query.isText.size());
    return append(batch, query);
}

TableScan::State TableScan::append(RowBatch& batch, const TableQuery& query) {
    while (!batch.isFull()) {
        switch (m_statement->step()) {
        case SqliteStatement::Step::Done:
            return State::Done;
        case SqliteStatement::Step::Failed:
            return State::Failed;
        case SqliteStatement::Step::Row:
            break;
        }
        const auto row = m_statement->integer(0);
        if (m_lastRow && (!row || *row <= *m_lastRow))
            return State::OutOfOrder;
        m_lastRow = row;
        batch.add(*m_statement, query);
    }
    return State::More;
}

} // namespace lacuna::nsys
