// event_sum: every kind of event by name, as a marked range of the window is summed up: sum and union beside
// one another, since rows of one name may run at the same time. Durations are those of whole rows, also where
// a row reaches out of the range.

#include "core/base/interval_set.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/trace/union_of.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace lacuna::reports {

namespace {

using EventSumKey = std::pair<EventKind, std::uint32_t>; // kind, name

constexpr KindMask kEveryKind = ~KindMask{0};
constexpr std::size_t kPercent = 95, kPercentOf = 100;

struct EventSumRow {
    EventSumKey key;
    std::vector<std::int64_t> sorted; // durations
    std::int64_t total = 0, busy = 0;
};

// Means nothing when the poll's job was cancelled.
EventSumRow summed(const Trace& trace, EventSumKey key, const std::vector<EventId>& rows, RowPoll& poll) {
    EventSumRow sum{key, {}, 0, 0};
    std::vector<TimeRange> ranges;
    ranges.reserve(rows.size());
    sum.sorted.reserve(rows.size());
    for (const EventId row : rows) {
        if (!poll.tick())
            return sum;
        ranges.push_back(trace.events().range(row));
        sum.sorted.push_back(ranges.back().length().v);
        sum.total = saturatingAdd(sum.total, sum.sorted.back());
    }
    if (sortRows(sum.sorted, poll, std::less<>()))
        sum.busy = unionOf(std::move(ranges), poll).value_or(IntervalSet{}).measure().v;
    return sum;
}

void addEventSum(ReportTable& table, const Trace& trace, const EventSumRow& sum) {
    const std::size_t n = sum.sorted.size();
    const std::int64_t middle = saturatingAdd(sum.sorted[(n - 1) / 2], sum.sorted[n / 2]);
    ReportTable::Row row = table.addRow();
    row.about(StringId{sum.key.second}, kindBit(sum.key.first));
    row.text(kindName(sum.key.first)).text(trace.strings().view(StringId{sum.key.second}));
    row.integer(static_cast<std::int64_t>(n)).ns(sum.total).ns(sum.busy);
    row.ratio(sum.total, static_cast<std::int64_t>(n)).ratio(middle, 2);
    row.ns(sum.sorted[(n * kPercent + kPercentOf - 1) / kPercentOf - 1]);
    row.ns(sum.sorted.front()).ns(sum.sorted.back());
}

} // namespace

Result<ReportTable> eventSum(const ReportInput& input, JobControl& job) {
    std::map<EventSumKey, std::vector<EventId>> groups;
    const EventTable& events = input.trace.events();
    if (!forEachRow(input, kEveryKind, job, [&](EventId e, const Lane&) {
            groups[{events.kind[e.v], events.name[e.v].v}].push_back(e);
        }))
        return cancelledError();
    std::vector<EventSumRow> sums;
    sums.reserve(groups.size());
    RowPoll poll(job);
    for (const auto& [key, rows] : groups) {
        sums.push_back(summed(input.trace, key, rows, poll));
        if (!poll.tick() || job.cancelled())
            return cancelledError();
    }
    std::stable_sort(sums.begin(), sums.end(),
                     [](const EventSumRow& a, const EventSumRow& b) { return a.total > b.total; });
    ReportTable table({textColumn("Kind"), textColumn("Name"), integerColumn("Count"),
                       nsColumn("Total Time (ns)"), nsColumn("Union (ns)"), decimalColumn("Avg (ns)", 1),
                       decimalColumn("Med (ns)", 1), nsColumn("P95 (ns)"), nsColumn("Min (ns)"),
                       nsColumn("Max (ns)")});
    for (const EventSumRow& sum : sums)
        addEventSum(table, input.trace, sum);
    if (sums.empty())
        table.addNote(input.options.range ? "No event overlaps the range." : "The trace has no events.");
    return table;
}

} // namespace lacuna::reports
