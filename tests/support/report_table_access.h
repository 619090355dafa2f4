#pragma once
// Reports in tests: run one, and read its cells by the title of the column.

#include "core/import/load_trace.h"
#include "core/report/builtin.h"

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lacuna::test {

inline ReportTable reportOf(const Trace& trace, DetailReader* details, const ReportQuery& query) {
    JobControl job;
    auto table = runReport(trace, details, query, job);
    if (!table)
        throw std::runtime_error(table.error().detail);
    return *std::move(table);
}
inline ReportTable reportOf(const Trace& trace, std::string_view name, const ReportOptions& options = {},
                            std::string_view sort = {}) {
    ReportQuery query;
    query.name = name;
    query.options = options;
    query.sort = sort;
    return reportOf(trace, nullptr, query);
}
// With what the file records beside its rows.
inline ReportTable reportOf(const LoadedTrace& loaded, std::string_view name,
                            const ReportOptions& options = {}) {
    ReportQuery query;
    query.name = name;
    query.options = options;
    return reportOf(*loaded.trace, loaded.details.get(), query);
}

inline std::size_t columnOf(const ReportTable& table, std::string_view title) {
    for (std::size_t c = 0; c < table.columns().size(); ++c)
        if (table.columns()[c].title == title)
            return c;
    throw std::runtime_error("no column " + std::string(title));
}

// As in CSV.
inline std::string cellOf(const ReportTable& table, std::size_t row, std::string_view title) {
    return table.cellText(row, columnOf(table, title));
}
inline std::int64_t numberOf(const ReportTable& table, std::size_t row, std::string_view title) {
    return table.number(row, columnOf(table, title));
}
// The first row whose cell of that column has that text; none.
inline std::optional<std::size_t> rowOf(const ReportTable& table, std::string_view title,
                                        std::string_view text) {
    for (std::size_t row = 0; row < table.rows(); ++row)
        if (cellOf(table, row, title) == text)
            return row;
    return std::nullopt;
}

} // namespace lacuna::test
