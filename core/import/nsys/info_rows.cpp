#include "core/import/nsys/info_rows.h"

namespace lacuna::nsys {

namespace {

constexpr int kMaxInfoRows = 100'000; // descriptive tables are small; a hostile one must not hold us up

} // namespace

InfoRows::InfoRows(SqliteDb& db, std::string_view table, std::initializer_list<std::string_view> columns) {
    const SqliteTable* found = db.table(table);
    if (found == nullptr)
        return;
    std::string sql;
    for (const std::string_view name : columns) {
        const SqliteColumn* column = found->column(name);
        sql += (sql.empty() ? "SELECT " : ", ") +
               (column == nullptr ? std::string("NULL") : quoteIdentifier(column->name));
    }
    sql += " FROM " + quoteIdentifier(found->name) + " LIMIT " + std::to_string(kMaxInfoRows);
    if (auto statement = db.prepare(sql))
        m_statement.emplace(std::move(*statement));
}

std::string oneLine(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (!blank)
            line += c;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
    return line;
}

} // namespace lacuna::nsys
