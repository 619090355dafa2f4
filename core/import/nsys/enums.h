#pragma once
// Labels of Nsight's enumerations. Exports from schema 3.0.0 on carry ENUM_* tables; the lists here serve
// older files and fill the gaps (nsys.md section 4).

#include "core/import/detail/sqlite_db.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lacuna::nsys {

// The enumeration that an integer column refers to; the empty view when it is a plain number.
// SYNCHRONIZATION's syncType is left out on purpose: its numbers disagree with its own label table (nsys.md
// section 3.2).
std::string_view enumOfColumn(std::string_view table, std::string_view column);

class EnumLabels {
public:
    explicit EnumLabels(SqliteDb& db) : m_db(db) {}
    // The file's label, else ours, else the empty view. Reads a table when it is first asked for.
    std::string_view label(std::string_view enumeration, std::int64_t id);

private:
    using Labels = std::map<std::int64_t, std::string>;
    const Labels& load(std::string_view enumeration);
    SqliteDb& m_db;
    std::map<std::string, Labels, std::less<>> m_enums;
};

} // namespace lacuna::nsys
