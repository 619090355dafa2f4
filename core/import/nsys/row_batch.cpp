#include "core/import/nsys/row_batch.h"

namespace lacuna::nsys {

void RowBatch::reset(std::size_t columns) {
    m_rows = 0;
    if (m_text.capacity() > 4 * kTextBytes)
        m_text = {}; // one huge text must not stay
    m_text.clear();
    m_rowids.resize(kRows);
    m_nulls.resize(kRows);
    m_integers.resize(kRows);
    if (m_values.size() < columns * kRows)
        m_values.resize(columns * kRows);
}

// A text takes the place of the value: where it starts in m_text (upper half) and how long it is.
void RowBatch::add(SqliteStatement& statement, const TableQuery& query) {
    std::uint32_t nulls = 0, integers = 0;
    const std::size_t columns = query.isText.size();
    for (std::size_t c = 0; c < columns; ++c) {
        const int column = static_cast<int>(c) + 1;
        std::int64_t& value = m_values[c * kRows + m_rows];
        if (query.isText[c]) {
            if (statement.isNull(column)) {
                nulls |= 1u << c;
                value = 0;
                continue;
            }
            const std::string_view text = statement.text(column);
            value = static_cast<std::int64_t>(std::uint64_t{m_text.size()} << 32 | text.size());
            m_text.append(text);
        } else if (const auto number = statement.integer(column)) {
            integers |= 1u << c;
            value = *number;
        } else if (statement.isNull(column)) {
            nulls |= 1u << c;
        }
    }
    m_rowids[m_rows] = statement.integer(0).value_or(0);
    m_nulls[m_rows] = nulls;
    m_integers[m_rows] = integers;
    ++m_rows;
}

std::string_view RowBatch::text(std::size_t row, std::size_t column) const {
    const auto value = static_cast<std::uint64_t>(m_values[column * kRows + row]);
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
