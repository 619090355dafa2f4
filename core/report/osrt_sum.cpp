// osrt_sum: calls of the operating system's runtime by function. Calls of which only one end was recorded are
// marks, no calls, and left out as the vendor does; system calls are not of this table.

#include "core/import/importer.h"
#include "core/import/table_columns.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/time_sums.h"

#include <utility>

namespace lacuna::reports {

namespace {

// The number of the table of system calls in the rows' sources; none where the source has no such table.
std::optional<std::uint32_t> systemCallTable(const ReportInput& input) {
    auto* tables = dynamic_cast<TableColumns*>(input.details);
    if (tables == nullptr)
        return std::nullopt;
    constexpr std::uint32_t kMostTables = 256;
    for (std::uint32_t number = 0; number < kMostTables; ++number) {
        const std::string name = tables->tableName(number);
        if (name.empty())
            break;
        if (name == "SYSCALL")
            return number;
    }
    return std::nullopt;
}

} // namespace

Result<ReportTable> osrtSum(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const auto systemCalls = systemCallTable(input);
    GroupedValues times;
    const bool done = forEachRow(input, kindBit(EventKind::OsRuntime), job, [&](EventId e, const Lane&) {
        if (!systemCalls || SourceRef{trace.events().source[e.v]}.table() != *systemCalls)
            times.add(trace.events().name[e.v].v, trace.events().duration(e).v);
    });
    if (!done)
        return cancelledError();
    ReportTable table =
        nameTimeTable("Num Calls", trace, kindBit(EventKind::OsRuntime), std::move(times), fullName);
    if (table.rows() == 0)
        table.addNote("The trace has no calls of the OS runtime (nsys profile --trace=osrt records them).");
    return table;
}

} // namespace lacuna::reports
