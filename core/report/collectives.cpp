// collectives: communication kernels by name, collective, group and size.

#include "core/analysis/collective.h"
#include "core/analysis/communication_names.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/statistics.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace lacuna::reports {

namespace {

constexpr std::int64_t kUntold = -1;

// Device, kernel, collective, group size, bytes.
using CollectiveKey = std::tuple<std::int64_t, StringId, std::string, std::int64_t, std::int64_t>;
using CollectiveTimes = std::map<CollectiveKey, std::vector<std::int64_t>>;

// In the order of the file, so that the reader of details goes through it once.
Result<std::vector<std::pair<EventId, std::int64_t>>> collectiveRows(const ReportInput& input,
                                                                     JobControl& job) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    CommunicationNames names(trace);
    std::vector<std::pair<EventId, std::int64_t>> rows; // with the device
    const bool done = forEachRow(input, kindBit(EventKind::Kernel), job, [&](EventId e, const Lane& lane) {
        if (names.has(events.name[e.v]))
            rows.emplace_back(e, lane.device ? trace.devices()[lane.device.v].ordinal : kUntold);
    });
    if (!done)
        return cancelledError();
    RowPoll poll(job);
    if (!sortRows(rows, poll, [&](const auto& a, const auto& b) {
            return events.source[a.first.v] < events.source[b.first.v];
        }))
        return cancelledError();
    return rows;
}

void addTimes(ReportTable& table, const Trace& trace, const CollectiveKey& key,
              std::vector<std::int64_t>& times) {
    const auto& [ordinal, kernel, collective, groupSize, bytes] = key;
    const Statistics values = statisticsOf(times);
    ReportTable::Row row = table.addRow();
    row.integer(ordinal).text(trace.strings().view(kernel)).text(collective);
    row.integer(groupSize == kUntold ? std::nullopt : std::optional(groupSize));
    row.integer(bytes == kUntold ? std::nullopt : std::optional(bytes));
    row.integer(values.count).ns(values.total);
    addStatistics(row, values);
    std::int64_t moved = 0;
    const bool isKnown = bytes != kUntold && !__builtin_mul_overflow(bytes, values.count, &moved);
    const auto factor = busFactor(collective, groupSize == kUntold ? std::nullopt : std::optional(groupSize));
    const double rate =
        static_cast<double>(moved) / static_cast<double>(std::max<std::int64_t>(1, values.total));
    if (!isKnown || values.total == 0) {
        row.empty().empty();
        return;
    }
    row.decimal(rate);
    if (factor)
        row.decimal(rate * static_cast<double>(factor->numerator) / static_cast<double>(factor->denominator));
    else
        row.empty();
}

} // namespace

Result<ReportTable> collectives(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    const auto rows = collectiveRows(input, job);
    if (!rows)
        return rows.error();
    CollectiveTimes times;
    RowPoll poll(job);
    for (const auto& [event, ordinal] : *rows) {
        if (!poll.tick(64)) // each reads the source
            return cancelledError();
        EventDetails details;
        if (input.details != nullptr)
            if (auto read = input.details->read({trace.events().source[event.v]}))
                details = *std::move(read);
        const CollectiveFacts facts = collectiveFacts(details, trace.nameOf(event));
        times[{ordinal, trace.events().name[event.v], facts.name, facts.groupSize.value_or(kUntold),
               facts.bytes.value_or(kUntold)}]
            .push_back(trace.events().duration(event).v);
    }
    std::vector<ReportColumn> columns = {integerColumn("Device"),  textColumn("Kernel"),
                                         textColumn("Collective"), integerColumn("Group Size"),
                                         integerColumn("Bytes"),   integerColumn("Count"),
                                         nsColumn("Sum (ns)")};
    addStatisticsColumns(columns);
    columns.push_back(decimalColumn("Algorithm GB/s", 1));
    columns.push_back(decimalColumn("Bus GB/s", 1));
    ReportTable table(std::move(columns));
    for (auto& [key, durations] : times)
        addTimes(table, trace, key, durations);
    table.sortBy(*table.findColumn("Sum (ns)"));
    table.addNote(table.rows() == 0
                      ? "The trace has no communication kernels."
                      : "Times of one rank hold its wait for the others: the bandwidths are lower "
                        "bounds.");
    return table;
}

} // namespace lacuna::reports
