#pragma once
// Which tables of an export become events, which describe them, and which are not shown.

#include "core/import/detail/sqlite_db.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::nsys {

// Tables whose rows become events, in a fixed order, then the OpenMP tables of this file by name. The index
// in this list is SourceRef::table().
std::vector<std::string> eventTables(const SqliteDb& db);
// Name of a table by that index; empty for the OpenMP tables, which only the file knows.
std::string_view fixedEventTable(std::uint32_t table);

enum class TableUse : std::uint8_t {
    Events,      // read row by row
    Description, // names, machines, enumerations, call stacks
    Graphics,    // known, of graphics and other worlds that Lacuna does not show
    Unknown,     // newer than this program, or somebody's own
};
TableUse useOf(std::string_view table);

} // namespace lacuna::nsys
