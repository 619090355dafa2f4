// cuda_api_trace: every CUDA call by start.

#include "core/import/arg_columns.h"
#include "core/import/importer.h"
#include "core/import/table_columns.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/vendor_names.h"

#include <array>
#include <map>
#include <utility>

namespace lacuna::reports {

namespace {

// Priorities of threads by (process, thread); empty where the file does not tell them.
using Priorities = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;

Priorities threadPriorities(const ReportInput& input, JobControl& job) {
    Priorities priorities;
    auto* tables = dynamic_cast<TableColumns*>(input.details);
    constexpr std::array<std::string_view, 2> kColumns = {"globalTid", "priority"};
    if (tables == nullptr)
        return priorities;
    // A file without the table, or without tables at all, tells no priorities.
    static_cast<void>(tables->scan(
        "ThreadNames", kColumns, {},
        [&](std::int64_t, std::span<const std::int64_t> values) {
            if (values[0] == TableColumns::kNoValue || values[1] == TableColumns::kNoValue)
                return;
            constexpr std::uint64_t kNumber = 0xffffff; // nsys.md section 2.1
            const auto id = static_cast<std::uint64_t>(values[0]);
            priorities.try_emplace(
                {static_cast<std::int64_t>(id >> 24 & kNumber), static_cast<std::int64_t>(id & kNumber)},
                values[1]);
        },
        job));
    return priorities;
}

// Cells that all calls of a thread share.
struct CallerCells {
    bool isKnown = false;
    HostIds ids;
    std::optional<std::int64_t> priority;
    StringId name;
};

} // namespace

Result<ReportTable> cudaApiTrace(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    ReportTable table({nsColumn("Start (ns)"), nsColumn("Duration (ns)"), textColumn("Name"),
                       integerColumn("Result"), integerColumn("CorrID"), integerColumn("Pid"),
                       integerColumn("Tid"), integerColumn("T-Pri"), textColumn("Thread Name")});
    const auto calls = rowsByStart(input, kApiKinds, job);
    if (!calls)
        return cancelledError();
    constexpr std::array<std::string_view, 1> kColumns = {"returnValue"};
    const auto results = ArgColumns::read(input.trace, input.details, *calls, kColumns, job);
    if (!results)
        return results.error();
    const Priorities priorities = threadPriorities(input, job);
    std::vector<CallerCells> callers(trace.threads().size() + 1); // the last: no thread
    std::vector<StringId> names(trace.strings().size());
    RowPoll poll(job);
    for (std::size_t i = 0; i < calls->size(); ++i) {
        if (!poll.tick())
            return cancelledError();
        const EventId call = (*calls)[i];
        const ThreadId thread = trace.lane(trace.laneOf(call)).thread;
        CallerCells& caller = thread ? callers[thread.v] : callers.back();
        if (!caller.isKnown) {
            caller = {true, hostIdsOf(trace, thread), {}, {}};
            caller.name = table.textId(thread ? trace.threads()[thread.v].name : std::string());
            const auto priority = priorities.find({caller.ids.pid.value_or(-1), caller.ids.tid.value_or(-1)});
            if (priority != priorities.end())
                caller.priority = priority->second;
        }
        StringId& name = names[trace.events().name[call.v].v];
        if (!name)
            name = table.textId(vendorApiName(trace.nameOf(call)));
        table.addRow()
            .about(call)
            .ns(trace.events().beginNs[call.v])
            .ns(trace.events().duration(call).v)
            .text(name)
            .integer(results->value(i, 0))
            .integer(correlationIdOf(trace, call))
            .integer(caller.ids.pid)
            .integer(caller.ids.tid)
            .integer(caller.priority)
            .text(caller.name);
    }
    if (table.rows() == 0)
        table.addNote("The trace has no CUDA API calls.");
    return table;
}

} // namespace lacuna::reports
