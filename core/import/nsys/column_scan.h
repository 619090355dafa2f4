#pragma once
// TableColumns::scan() on a database. Many rows of a large table are decoded from its pages where these are
// at hand; what they do not give is asked of SQLite.

#include "core/import/detail/sqlite_db.h"
#include "core/import/detail/sqlite_pages.h"
#include "core/import/table_columns.h"

namespace lacuna::nsys {

// pages: of the same file, may be null; must live as long as the database is open.
Status scanColumns(SqliteDb& db, const SqlitePages* pages, std::string_view table,
                   std::span<const std::string_view> columns, std::span<const TableColumns::RowSpan> rows,
                   const TableColumns::Visit& visit, JobControl& job);

} // namespace lacuna::nsys
