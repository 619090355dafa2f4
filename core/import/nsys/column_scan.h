#pragma once
// TableColumns::scan() on a database.

#include "core/import/detail/sqlite_db.h"
#include "core/import/table_columns.h"

namespace lacuna::nsys {

Status scanColumns(SqliteDb& db, std::string_view table, std::span<const std::string_view> columns,
                   std::span<const TableColumns::RowSpan> rows, const TableColumns::Visit& visit,
                   JobControl& job);

} // namespace lacuna::nsys
