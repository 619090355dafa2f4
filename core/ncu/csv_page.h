#pragma once
// What the header of a page of `ncu --csv` tells: which of the pages it is and where its columns stand
// (nsys.md 10.1 and 10.2); and the fields that describe a launch.

#include "core/base/string_pool.h"
#include "core/ncu/ncu_file.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna::ncu {

inline constexpr std::size_t kNoColumn = SIZE_MAX;

struct CsvPage {
    std::vector<std::string> header, units; // units: of a raw page, once its row was read
    std::vector<StringId> names;            // raw page: metric of each column; none for those of the launch
    std::size_t id = kNoColumn, process = kNoColumn, kernelName = kNoColumn, section = kNoColumn,
                label = kNoColumn, unit = kNoColumn, value = kNoColumn, rule = kNoColumn,
                invocations = kNoColumn;
    bool hasUnits = false, hasRows = false; // seen so far

    // None: the fields are no header.
    static std::optional<CsvPage> of(const std::vector<std::string>& fields, StringPool& strings);
    NcuFormat format() const;
    bool isRaw() const { return label == kNoColumn; } // one column a metric, else one row a metric
    std::size_t column(std::string_view name) const;  // kNoColumn: not there
    // A row with fewer fields is cut.
    std::size_t fieldsNeeded() const;
};

// What stands after the first column's name where the line may be the header of a page, else 0.
char headerSeparator(std::string_view line);

// None for anything but digits with a sign.
std::optional<std::int64_t> wholeNumber(std::string_view text);
// "(256, 1, 1)", "(256,1,1)", "256x1x1"; unknown for others.
Dim3 dimsOf(std::string_view text);
// "n/a", "nan", nothing at all.
bool isNoValue(std::string_view text);

} // namespace lacuna::ncu
