#pragma once
// Arguments of rows that are not kept in memory (grid, registers, contexts ...), read from the source again
// in one ordered pass. Columns bear the names of Nsight Systems' tables; for Kineto traces the same arguments
// are found under their names there ("gridX" is the first of "grid").
//
// Two columns are of Kineto alone: "sharedMemory", the sum of static and dynamic bytes of a block, and
// "estimatedOccupancy", in 1/10,000 of a percent.

#include "core/base/job_control.h"
#include "core/base/narrow_column.h"
#include "core/base/result.h"
#include "core/import/importer.h"
#include "core/trace/trace.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

class ArgColumns {
public:
    // events: in any order, each once. Without a source (null) every value is missing. Errors: Cancelled, Io.
    static Result<ArgColumns> read(const Trace& trace, DetailReader* details, std::span<const EventId> events,
                                   std::span<const std::string_view> columns, JobControl& job);

    // Of the event with that place in the list.
    std::optional<std::int64_t> value(std::size_t event, std::size_t column) const {
        const std::int64_t v = m_columns[column].at(event);
        return v == NarrowColumn::kEmpty ? std::nullopt : std::optional(v);
    }
    // The same for numbers of green contexts, where 0 stands for none.
    std::optional<std::int64_t> valueUnlessZero(std::size_t event, std::size_t column) const {
        const auto v = value(event, column);
        return v && *v != 0 ? v : std::nullopt;
    }
    std::int64_t valueOr(std::size_t event, std::size_t column, std::int64_t fallback) const {
        return value(event, column).value_or(fallback);
    }

private:
    friend class ArgReader;
    std::vector<NarrowColumn> m_columns;
};

// The same value of one row whose details are at hand; the names are Kineto's or Nsight's.
std::optional<std::int64_t> argOf(const EventDetails& details, std::string_view column);

// "%4d %4d %4d" of three values, as the vendor writes grids and blocks.
std::string dimensionText(std::int64_t x, std::int64_t y, std::int64_t z);

} // namespace lacuna
