#pragma once
// Whole columns of a source's own tables, for questions about many rows at once: one ordered pass instead of
// one look-up per row. Detail readers of formats that are made of tables implement it; ask a DetailReader
// with dynamic_cast.

#include "core/base/job_control.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace lacuna {

class TableColumns {
public:
    // The value of a column that a row or the whole table lacks, or that is no whole number.
    static constexpr std::int64_t kNoValue = std::numeric_limits<std::int64_t>::min();

    struct RowSpan { // rows with first <= number <= last
        std::int64_t first = 0, last = 0;
    };
    // Values are in the order of the columns, valid during the call only.
    using Visit = std::function<void(std::int64_t row, std::span<const std::int64_t> values)>;

    virtual ~TableColumns() = default;
    // Visits the rows of the spans (ascending, disjoint; none: all rows) by ascending number. A table that is
    // not there has no rows. At most 32 columns. Errors: Cancelled; Unsupported when the source turns out to
    // have no tables; Io.
    virtual Status scan(std::string_view table, std::span<const std::string_view> columns,
                        std::span<const RowSpan> rows, const Visit& visit, JobControl& job) = 0;
    // The table of SourceRef::table(); empty when there is none.
    virtual std::string tableName(std::uint32_t number) = 0;
};

} // namespace lacuna
