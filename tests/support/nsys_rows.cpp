#include "tests/support/nsys_rows.h"

#include "tests/support/trace_lookup.h"

#include <utility>

namespace lacuna::test {

std::string withIds(std::string sql, std::int64_t thread) {
    const std::pair<std::string_view, std::int64_t> ids[] = {{"$T", globalTid(483, thread)},
                                                             {"$P", globalTid(483, 0)},
                                                             {"$U", globalTid(509, 510)},
                                                             {"$Q", globalTid(509, 0)}};
    for (const auto& [mark, id] : ids)
        for (std::size_t at = sql.find(mark); at != std::string::npos; at = sql.find(mark))
            sql.replace(at, mark.size(), std::to_string(id));
    return sql;
}

std::string LoadedExport::row(std::string_view name) const {
    return rowText(trace(), eventNamed(trace(), name));
}

std::string LoadedExport::lane(std::string_view name) const {
    return laneTitleOf(trace(), eventNamed(trace(), name));
}

std::string LoadedExport::detail(std::string_view name, std::string_view field) const {
    const auto read = result->details->read({trace().events().source[eventNamed(trace(), name).v]});
    for (const auto& [key, value] : read->fields)
        if (key == field)
            return value;
    return "absent";
}

LoadedExport loadExport(SqliteFixture fixture) {
    JobControl job;
    auto result = loadTrace(fixture.file(), builtinImporters(), job);
    return {std::move(fixture), std::move(result)};
}

LoadedExport loadExportOf(const std::string& sql) {
    return loadExport(SqliteFixture(withIds(std::string(nsysSchema()) + sql)));
}

} // namespace lacuna::test
