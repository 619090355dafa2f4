#pragma once
// Whether a SQLite file is an Nsight Systems export, and what it is when it is not.

#include "core/import/detail/sqlite_db.h"

#include <optional>
#include <string_view>

namespace lacuna::nsys {

// None when the file is an export that Lacuna reads; else what it is and what to do.
std::optional<Error> foreignDatabase(const SqliteDb& db, std::string_view fileName);

} // namespace lacuna::nsys
