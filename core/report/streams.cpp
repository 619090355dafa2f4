// streams: what each stream did, of the window from the device's first operation to its last. Busy: at least
// one operation of the stream ran. Overlapped: of that, another stream of the device was busy too.

#include "core/analysis/communication_names.h"
#include "core/base/interval_set.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/selected_devices.h"
#include "core/trace/union_of.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace lacuna::reports {

namespace {

struct StreamWork {
    std::int64_t stream = 0, operations = 0, sumNs = 0, aloneNs = 0;
    TimeNs first{INT64_MAX}, last{INT64_MIN}; // begin and end of operations
    std::vector<TimeRange> ranges, communication;
    IntervalSet busy; // of the ranges, which go into it
    std::int64_t busyNs = 0, communicationNs = 0;
};

bool unite(StreamWork& work, RowPoll& poll) {
    auto busy = unionOf(std::move(work.ranges), poll);
    const auto communication = unionOf(std::move(work.communication), poll);
    if (!busy || !communication)
        return false;
    work.busy = *std::move(busy);
    work.busyNs = work.busy.measure().v;
    work.communicationNs = communication->measure().v;
    return true;
}

// Time in which one stream alone is busy goes to it. The members of each set are sorted and disjoint: they
// are merged. False when the job was cancelled.
bool findAlone(std::vector<StreamWork>& streams, const JobControl& job) {
    using Mark = std::tuple<std::int64_t, std::size_t>; // time, stream
    std::priority_queue<Mark, std::vector<Mark>, std::greater<>> next;
    std::vector<std::size_t> at(streams.size(), 0); // twice the member, and 1 behind its begin
    const auto push = [&](std::size_t s) {
        const auto ranges = streams[s].busy.ranges();
        if (at[s] < 2 * ranges.size()) {
            const TimeRange& range = ranges[at[s] / 2];
            next.emplace(at[s] % 2 == 0 ? range.begin.v : range.end.v, s);
        }
    };
    for (std::size_t s = 0; s < streams.size(); ++s)
        push(s);
    std::size_t active = 0, sum = 0; // sum: of the numbers of those that are busy, so that one alone is known
    std::int64_t since = 0;
    RowPoll poll(job);
    while (!next.empty()) {
        if (!poll.tick())
            return false;
        const auto [time, s] = next.top();
        next.pop();
        if (active == 1)
            streams[sum].aloneNs += time - since;
        since = time;
        const bool begins = at[s]++ % 2 == 0;
        active = begins ? active + 1 : active - 1;
        sum = begins ? sum + s : sum - s;
        push(s);
    }
    return true;
}

} // namespace

Result<ReportTable> streams(const ReportInput& input, JobControl& job) {
    const Trace& trace = input.trace;
    ReportTable table({integerColumn("Device"), integerColumn("Stream"), integerColumn("Count"),
                       nsColumn("Sum (ns)"), nsColumn("Busy (ns)"), decimalColumn("Share of span (%)", 1),
                       nsColumn("Overlapped (ns)"), nsColumn("Communication (ns)"), nsColumn("First (ns)"),
                       nsColumn("Last (ns)")});
    std::map<DeviceId, std::map<std::int64_t, StreamWork>> found;
    CommunicationNames names(trace);
    const bool done =
        forEachRow(input, kGpuKinds | kindBit(EventKind::GraphLaunch), job, [&](EventId e, const Lane& lane) {
            if (!lane.device)
                return;
            TimeRange range = trace.events().range(e);
            if (input.options.range)
                range = intersection(range, *input.options.range);
            StreamWork& work = found[lane.device][lane.sourceId];
            work.stream = lane.sourceId;
            ++work.operations;
            work.first = std::min(work.first, range.begin);
            work.last = std::max(work.last, range.end);
            work.sumNs = saturatingAdd(work.sumNs, range.length().v);
            work.ranges.push_back(range);
            if (trace.events().kind[e.v] == EventKind::Kernel && names.has(trace.events().name[e.v]))
                work.communication.push_back(range);
        });
    if (!done)
        return cancelledError();
    RowPoll poll(job);
    for (auto& [device, byNumber] : found) {
        std::vector<StreamWork> all;
        TimeRange span{TimeNs{INT64_MAX}, TimeNs{INT64_MIN}};
        for (auto& [number, work] : byNumber) {
            span = {std::min(span.begin, work.first), std::max(span.end, work.last)};
            if (!unite(work, poll))
                return cancelledError();
            all.push_back(std::move(work));
        }
        if (!findAlone(all, job))
            return cancelledError();
        std::stable_sort(all.begin(), all.end(),
                         [](const StreamWork& a, const StreamWork& b) { return a.busyNs > b.busyNs; });
        const std::int64_t spanNs = span.length().v;
        for (const StreamWork& work : all) {
            table.addRow()
                .integer(ordinalOf(trace, device))
                .integer(work.stream)
                .integer(work.operations)
                .ns(work.sumNs)
                .ns(work.busyNs)
                .decimal(spanNs == 0 ? 0.0
                                     : 100.0 * static_cast<double>(work.busyNs) / static_cast<double>(spanNs))
                .ns(work.busyNs - work.aloneNs)
                .ns(work.communicationNs)
                .ns(work.first.v)
                .ns(work.last.v);
        }
    }
    return table;
}

} // namespace lacuna::reports
