#pragma once
// Times or bytes of rows by operation: kernels by name, copies and memsets by what they are, calls by
// function.

#include "core/report/report_rows.h"
#include "core/report/statistics.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lacuna {

// Numbers for (category, label), from the names of rows: a label is made once per name.
class OperationGroups {
public:
    enum class Category : std::uint8_t { Kernel, Memory, Api };

    explicit OperationGroups(const Trace& trace) : m_trace(trace) {}
    std::uint32_t of(EventId event);
    Category category(std::uint32_t group) const { return m_groups[group].first; }
    const std::string& label(std::uint32_t group) const { return m_groups[group].second; }
    // "CUDA_KERNEL", "MEMORY_OPER", "CUDA_API".
    std::string categoryName(std::uint32_t group) const;
    // Where all rows of a name and these kinds make the group; kinds are 0 where several names do.
    StringId name(std::uint32_t group) const { return m_names[group]; }
    KindMask kinds(std::uint32_t group) const;

private:
    const Trace& m_trace;
    std::array<std::vector<std::uint32_t>, 3> m_byName; // group + 1 by StringId; 0: not seen yet
    std::map<std::pair<Category, std::string>, std::uint32_t> m_numbers;
    std::vector<std::pair<Category, std::string>> m_groups;
    std::vector<StringId> m_names; // beside m_groups; none: several
};

// "Time (%) ... Operation", with the category before the operation where it is asked for.
Result<ReportTable> operationTimes(const ReportInput& input, KindMask kinds, std::string countTitle,
                                   bool withCategory, JobControl& job);

} // namespace lacuna
