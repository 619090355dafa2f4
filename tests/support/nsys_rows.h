#pragma once
// Small Nsight Systems exports made of rows in SQL.

#include "core/import/load_trace.h"
#include "tests/support/sqlite_fixture.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lacuna::test {

// "$T" and "$P" stand for a thread of process 483 and for the process, "$U" and "$Q" for thread 510 of
// process 509.
std::string withIds(std::string sql, std::int64_t thread = 484);

struct LoadedExport {
    SqliteFixture fixture;
    Result<LoadedTrace> result;
    const Trace& trace() const { return *result->trace; }
    const ImportReport& report() const { return trace().report(); }
    // Of the first row of that name: "100..250 kernel", title of its lane, and a field of its details.
    std::string row(std::string_view name) const;
    std::string lane(std::string_view name) const;
    std::string detail(std::string_view name, std::string_view field) const;
};

LoadedExport loadExport(SqliteFixture fixture);
// nsysSchema() and the statements, ids as above.
LoadedExport loadExportOf(const std::string& sql);

} // namespace lacuna::test
