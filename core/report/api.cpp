// api: CUDA calls by function and layer, and whether the function waits for the device. That is told by its
// name: a copy waits for some kinds of memory, an allocation where it has to make room, so both may or may
// not.

#include "core/analysis/gap_names.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/statistics.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lacuna::reports {

namespace {

std::string_view blocks(gaps::ApiFamily family) {
    switch (family) {
    case gaps::ApiFamily::Sync:
        return "yes";
    case gaps::ApiFamily::Copy:
    case gaps::ApiFamily::Allocation:
    case gaps::ApiFamily::Module:
    case gaps::ApiFamily::Link:
        return "depends";
    case gaps::ApiFamily::Launch:
    case gaps::ApiFamily::Other:
        break;
    }
    return "no";
}

} // namespace

Result<ReportTable> api(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    GroupedValues times; // by name; odd keys are calls of the driver
    if (!forEachRow(input, kApiKinds, job, [&](EventId e, const Lane&) {
            const bool isDriver = events.kind[e.v] == EventKind::DriverApi;
            times.add(events.name[e.v].v * 2 + (isDriver ? 1 : 0), events.duration(e).v);
        }))
        return cancelledError();
    std::vector<GroupedValues::Group> groups = times.take(job);
    std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
        return a.values.total != b.values.total ? a.values.total > b.values.total : a.key < b.key;
    });
    std::int64_t all = 0;
    for (const auto& group : groups)
        all = saturatingAdd(all, group.values.total);

    std::vector<ReportColumn> columns = {textColumn("Call"), textColumn("Layer"), textColumn("Blocks"),
                                         integerColumn("Count"), nsColumn("Total (ns)")};
    addStatisticsColumns(columns);
    columns.push_back(decimalColumn("Share of calls (%)", 1));
    ReportTable table(std::move(columns));
    for (const auto& group : groups) {
        const StringId name{group.key / 2};
        const bool isDriver = group.key % 2 == 1;
        const std::string_view text = trace.strings().view(name);
        ReportTable::Row row = table.addRow();
        row.about(name, kindBit(isDriver ? EventKind::DriverApi : EventKind::RuntimeApi))
            .text(text)
            .text(isDriver ? "driver" : "runtime")
            .text(blocks(gaps::apiFamily(text)))
            .integer(group.values.count)
            .ns(group.values.total);
        addStatistics(row, group.values);
        row.decimal(all == 0 ? 0.0
                             : 100.0 * static_cast<double>(group.values.total) / static_cast<double>(all));
    }
    if (table.rows() == 0)
        table.addNote("The trace has no CUDA API calls.");
    else
        table.addNote(
            "Calls of the driver made inside calls of the runtime count in both; whether a function "
            "waits is told by its name.");
    return table;
}

} // namespace lacuna::reports
