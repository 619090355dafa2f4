// copies: memory copies and sets by direction and kind of memory; bytes, bandwidth, pageable memory.

#include "core/base/interval_set.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/statistics.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace lacuna::reports {

namespace {

std::string_view directionName(CopyKind kind) {
    switch (kind) {
    case CopyKind::HtoD:
    case CopyKind::UnifiedHtoD:
        return "HtoD";
    case CopyKind::DtoH:
    case CopyKind::UnifiedDtoH:
        return "DtoH";
    case CopyKind::DtoD:
    case CopyKind::UnifiedDtoD:
        return "DtoD";
    case CopyKind::HtoH:
        return "HtoH";
    case CopyKind::PeerToPeer:
        return "PtoP";
    case CopyKind::HtoA:
        return "HtoA";
    case CopyKind::AtoH:
        return "AtoH";
    case CopyKind::AtoA:
        return "AtoA";
    case CopyKind::AtoD:
        return "AtoD";
    case CopyKind::DtoA:
        return "DtoA";
    case CopyKind::Set:
        return "set";
    case CopyKind::Unknown:
        break;
    }
    return "unknown";
}

std::string_view memoryName(MemKind kind) {
    switch (kind) {
    case MemKind::Pageable:
        return "pageable";
    case MemKind::Pinned:
        return "pinned";
    case MemKind::Device:
    case MemKind::DeviceStatic:
        return "device";
    case MemKind::Array:
        return "array";
    case MemKind::Managed:
    case MemKind::ManagedStatic:
        return "managed";
    case MemKind::Unknown:
        break;
    }
    return "";
}

struct CopyGroup {
    std::int64_t count = 0, bytes = 0, sumNs = 0, waited = 0;
    std::vector<TimeRange> ranges;
};
using CopyKey = std::tuple<std::int64_t, std::string_view, std::string_view, std::string_view>;
using CopyGroups = std::map<CopyKey, CopyGroup>; // device, direction, source, destination

bool groupCopies(const ReportInput& input, JobControl& job, CopyGroups& groups) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    return forEachRow(input, kMemoryKinds, job, [&](EventId e, const Lane& lane) {
        const CopyArgs* args = trace.hotArgs().copies.find(e);
        const CopyArgs known = args != nullptr ? *args : CopyArgs{};
        const std::int64_t ordinal = lane.device ? trace.devices()[lane.device.v].ordinal : -1;
        const CopyKind kind = events.kind[e.v] == EventKind::Memset ? CopyKind::Set : known.kind;
        CopyGroup& group =
            groups[{ordinal, directionName(kind), memoryName(known.src), memoryName(known.dst)}];
        const TimeRange range = events.range(e);
        ++group.count;
        group.bytes = saturatingAdd(group.bytes, known.bytes);
        group.sumNs = saturatingAdd(group.sumNs, range.length().v);
        group.ranges.push_back(range);
        if (const auto call = trace.correlations().launchOf(events, e))
            group.waited += events.endNs[call->v] >= range.end.v ? 1 : 0;
    });
}

} // namespace

// Bytes per ns are GB/s.
Result<ReportTable> copies(const ReportInput& input, JobControl& job) {
    CopyGroups groups;
    if (!groupCopies(input, job, groups))
        return cancelledError();
    std::vector<std::pair<CopyKey, CopyGroup*>> ordered;
    ordered.reserve(groups.size());
    for (auto& [key, group] : groups)
        ordered.emplace_back(key, &group);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto& a, const auto& b) { return a.second->sumNs > b.second->sumNs; });
    ReportTable table({integerColumn("Device"), textColumn("Direction"), textColumn("Source"),
                       textColumn("Destination"), textColumn("Pageable"), integerColumn("Count"),
                       integerColumn("Bytes"), nsColumn("Sum (ns)"), nsColumn("Union (ns)"),
                       decimalColumn("GB/s", 3), decimalColumn("GB/s of Union", 3),
                       integerColumn("Host Waited")});
    std::int64_t pageable = 0;
    for (const auto& [key, group] : ordered) {
        const auto& [ordinal, direction, source, destination] = key;
        const bool isPageable = source == "pageable" || destination == "pageable";
        pageable += isPageable ? group->count : 0;
        const std::int64_t unionNs = IntervalSet::fromUnsorted(std::move(group->ranges)).measure().v;
        table.addRow()
            .integer(ordinal)
            .text(direction)
            .text(source)
            .text(destination)
            .text(isPageable ? "yes" : "no")
            .integer(group->count)
            .integer(group->bytes)
            .ns(group->sumNs)
            .ns(unionNs)
            .ratio(group->bytes, group->sumNs)
            .ratio(group->bytes, unionNs)
            .integer(group->waited);
    }
    if (table.rows() == 0)
        table.addNote("The trace has no copies and no memsets.");
    if (pageable != 0)
        table.addNote(std::to_string(pageable) + (pageable == 1 ? " copy uses" : " copies use") +
                      " pageable memory: pinned memory and non_blocking=True let the host run on.");
    return table;
}

} // namespace lacuna::reports
