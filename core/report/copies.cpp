// copies: memory copies and sets by direction and kind of memory; bytes, bandwidth, pageable memory.

#include "core/analysis/busy_devices.h"
#include "core/base/interval_set.h"
#include "core/report/builtin.h"
#include "core/report/copy_names.h"
#include "core/report/report_rows.h"
#include "core/report/statistics.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lacuna::reports {

namespace {

struct CopyGroup {
    std::int64_t count = 0, bytes = 0, untold = 0, sumNs = 0, waited = 0;
    std::map<std::uint32_t, std::vector<TimeRange>> ranges; // by DeviceId
};
using CopyGroups = std::map<CopyLabels, CopyGroup>;

// Empty where the file names no kind of memory.
std::string_view pageableText(const CopyLabels& labels) {
    const auto& [ordinal, direction, source, destination] = labels;
    if (source == "pageable" || destination == "pageable")
        return "yes";
    const bool isSet = direction == "set"; // has no source
    return destination.empty() || (source.empty() && !isSet) ? "" : "no";
}

bool groupCopies(const ReportInput& input, JobControl& job, CopyGroups& groups) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    return forEachRow(input, kMemoryKinds, job, [&](EventId e, const Lane& lane) {
        const CopyArgs* args = trace.hotArgs().copies.find(e);
        CopyGroup& group = groups[copyLabels(trace, e, lane)];
        const TimeRange range = events.range(e);
        ++group.count;
        if (const auto bytes = toldBytes(args))
            group.bytes = saturatingAdd(group.bytes, *bytes);
        else
            ++group.untold;
        group.sumNs = saturatingAdd(group.sumNs, range.length().v);
        group.ranges[lane.device.v].push_back(range);
        if (const auto call = trace.correlations().launchOf(events, e))
            group.waited += events.endNs[call->v] >= range.end.v ? 1 : 0;
    });
}

// Where kernels of a device ran, communication too: they hide its copies.
class HiddenTimes {
public:
    explicit HiddenTimes(const Trace& trace) : m_devices(trace) {}
    const IntervalSet& of(DeviceId device, JobControl& job) {
        const auto [at, isNew] = m_known.try_emplace(device.v);
        if (isNew) {
            const DeviceBusy busy = m_devices.busy(device, job);
            at->second = busy.byWork[0].united(busy.byWork[1]);
        }
        return at->second;
    }

private:
    BusyDevices m_devices;
    std::map<std::uint32_t, IntervalSet> m_known;
};

struct CopyTimes {
    std::int64_t unionNs = 0, exposedNs = 0;
};

// Of one device after the other: no time of one hides the other's. Rows without a device hide nothing.
CopyTimes timesOf(CopyGroup& group, HiddenTimes& hidden, JobControl& job) {
    CopyTimes times;
    for (auto& [device, ranges] : group.ranges) {
        const IntervalSet copies = IntervalSet::fromUnsorted(std::move(ranges));
        times.unionNs += copies.measure().v;
        times.exposedNs +=
            DeviceId{device} ? copies.minus(hidden.of({device}, job)).measure().v : copies.measure().v;
    }
    return times;
}

} // namespace

// Bytes per ns are GB/s. Exposed: the part of the union in which no kernel of the device ran.
Result<ReportTable> copies(const ReportInput& input, JobControl& job) {
    CopyGroups groups;
    if (!groupCopies(input, job, groups))
        return cancelledError();
    std::vector<std::pair<CopyLabels, CopyGroup*>> ordered;
    ordered.reserve(groups.size());
    for (auto& [key, group] : groups)
        ordered.emplace_back(key, &group);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return a.second->sumNs > b.second->sumNs; });
    ReportTable table({integerColumn("Device"), textColumn("Direction"), textColumn("Source"),
                       textColumn("Destination"), textColumn("Pageable"), integerColumn("Count"),
                       integerColumn("Bytes"), nsColumn("Sum (ns)"), nsColumn("Union (ns)"),
                       nsColumn("Exposed (ns)"), decimalColumn("GB/s", 3), decimalColumn("GB/s of Union", 3),
                       integerColumn("Host Waited")});
    HiddenTimes hidden(input.trace);
    std::int64_t pageable = 0, untold = 0;
    for (const auto& [key, group] : ordered) {
        const auto& [ordinal, direction, source, destination] = key;
        pageable += pageableText(key) == "yes" ? group->count : 0;
        const auto [unionNs, exposedNs] = timesOf(*group, hidden, job);
        if (job.cancelled())
            return cancelledError();
        untold += group->untold;
        const bool isTold = group->untold == 0;
        ReportTable::Row row = table.addRow();
        row.integer(ordinal)
            .text(direction)
            .text(source)
            .text(destination)
            .text(pageableText(key))
            .integer(group->count)
            .integer(isTold ? std::optional(group->bytes) : std::nullopt)
            .ns(group->sumNs)
            .ns(unionNs)
            .ns(exposedNs);
        if (isTold)
            row.ratio(group->bytes, group->sumNs).ratio(group->bytes, unionNs);
        else
            row.empty().empty();
        row.integer(group->waited);
    }
    if (table.rows() == 0)
        table.addNote("The trace has no copies and no memsets.");
    if (pageable != 0)
        table.addNote(std::to_string(pageable) + (pageable == 1 ? " copy uses" : " copies use") +
                      " pageable memory: pinned memory and non_blocking=True let the host run on.");
    if (std::string note = untoldBytesNote(untold); !note.empty())
        table.addNote(std::move(note));
    return table;
}

} // namespace lacuna::reports
