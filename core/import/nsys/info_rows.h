#pragma once
// Rows of descriptive tables: names, machines, enumerations. They are no event rows, so nothing is counted.

#include "core/import/detail/sqlite_db.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna::nsys {

class InfoRows {
public:
    // A table or column that is missing reads as empty or NULL.
    InfoRows(SqliteDb& db, std::string_view table, std::initializer_list<std::string_view> columns);
    bool next() { return m_statement && m_statement->step() == SqliteStatement::Step::Row; }
    std::optional<std::int64_t> integer(int column) const { return m_statement->integer(column); }
    std::string text(int column) { return std::string(m_statement->text(column)); }

private:
    std::optional<SqliteStatement> m_statement;
};

// One line of text: diagnostics and names come with line breaks and tabs.
std::string oneLine(std::string_view text);

} // namespace lacuna::nsys
