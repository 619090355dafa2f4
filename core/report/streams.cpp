// streams: what each stream did, of the window from the device's first operation to its last. Busy: at least
// one operation of the stream ran. Overlapped: of that, another stream of the device was busy too.

#include "core/analysis/device_busy.h"
#include "core/base/interval_set.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/selected_devices.h"

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
    std::vector<TimeRange> ranges, communication;
    IntervalSet busy;
};

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
    std::vector<std::uint8_t> workOfName(trace.strings().size(), 0);
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
            work.sumNs = saturatingAdd(work.sumNs, range.length().v);
            work.ranges.push_back(range);
            if (trace.events().kind[e.v] != EventKind::Kernel)
                return;
            std::uint8_t& known = workOfName[trace.events().name[e.v].v]; // names are long and few
            if (known == 0)
                known = workOf(trace, e);
            if (known == kCommunication)
                work.communication.push_back(range);
        });
    if (!done)
        return cancelledError();
    for (auto& [device, byNumber] : found) {
        std::vector<StreamWork> all;
        TimeRange span{TimeNs{INT64_MAX}, TimeNs{INT64_MIN}};
        for (auto& [number, work] : byNumber) {
            for (const TimeRange& range : work.ranges)
                span = {std::min(span.begin, range.begin), std::max(span.end, range.end)};
            work.busy = IntervalSet::fromUnsorted(work.ranges);
            all.push_back(std::move(work));
        }
        if (!findAlone(all, job))
            return cancelledError();
        std::stable_sort(all.begin(), all.end(), [](const StreamWork& a, const StreamWork& b) {
            return a.busy.measure() > b.busy.measure();
        });
        const std::int64_t spanNs = span.length().v;
        for (const StreamWork& work : all) {
            const std::int64_t busyNs = work.busy.measure().v;
            TimeNs first{INT64_MAX}, last{INT64_MIN};
            for (const TimeRange& range : work.ranges) {
                first = std::min(first, range.begin);
                last = std::max(last, range.end);
            }
            table.addRow()
                .integer(ordinalOf(trace, device))
                .integer(work.stream)
                .integer(work.operations)
                .ns(work.sumNs)
                .ns(busyNs)
                .decimal(spanNs == 0 ? 0.0
                                     : 100.0 * static_cast<double>(busyNs) / static_cast<double>(spanNs))
                .ns(busyNs - work.aloneNs)
                .ns(IntervalSet::fromUnsorted(work.communication).measure().v)
                .ns(first.v)
                .ns(last.v);
        }
    }
    return table;
}

} // namespace lacuna::reports
