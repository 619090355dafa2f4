#include "core/findings/host_copies.h"

#include "core/trace/row_poll.h"

#include <algorithm>
#include <map>

namespace lacuna::findings {

namespace {

bool touchesHost(CopyKind kind) {
    return kind == CopyKind::HtoD || kind == CopyKind::DtoH || kind == CopyKind::HtoA ||
           kind == CopyKind::AtoH || kind == CopyKind::UnifiedHtoD || kind == CopyKind::UnifiedDtoH ||
           kind == CopyKind::Unknown;
}

// The call that brought it, and the wait behind it in the same operator: PyTorch copies pageable memory with
// cudaMemcpyAsync and then waits for the stream.
bool hostWaited(const FindingContext& context, EventId call, TimeNs copyEnd) {
    if (context.events().range(call).end >= copyEnd)
        return true;
    const HostRow row = context.tree.find(call);
    if (!row)
        return false;
    const HostRow parent = context.tree.parent(row);
    const ThreadId thread = context.tree.threadOf(call);
    const auto& holding = context.rows.calls(thread).holding;
    const auto next =
        std::upper_bound(holding.begin(), holding.end(), context.events().endNs[call.v],
                         [](std::int64_t t, const gaps::HoldingCall& one) { return t <= one.begin; });
    return next != holding.end() && parent && context.tree.parent(next->row) == parent &&
           next->end >= copyEnd.v;
}

} // namespace

HostCopies copiesOfWindow(const FindingContext& context, JobControl& job) {
    HostCopies result;
    std::map<std::string, CopyGroup> groups;
    RowPoll poll(job);
    for (std::size_t d = 0; d < context.devices.size(); ++d) {
        std::vector<TimeRange> ranges;
        for (const CopyArgs& copy : context.trace.hotArgs().copies.rows()) {
            if (!poll.tick())
                return result;
            if (!touchesHost(copy.kind) || context.events().kind[copy.event.v] != EventKind::Memcpy ||
                !context.startsInWindow(copy.event) ||
                context.trace.lane(context.trace.laneOf(copy.event)).device != context.devices[d])
                continue;
            const TimeRange range = context.events().range(copy.event);
            ranges.push_back(range);
            const auto call = context.trace.correlations().launchOf(context.events(), copy.event);
            const bool isPageable = copy.src == MemKind::Pageable || copy.dst == MemKind::Pageable;
            HostSite site;
            if (call)
                site = hostSiteOf(context, *call);
            CopyGroup& group = groups[std::to_string(static_cast<int>(copy.kind)) + (isPageable ? "p" : "") +
                                      gaps::withoutNumbers(site.text())];
            if (group.count == 0 || range.length() > context.events().duration(group.longest))
                group.longest = copy.event;
            group.kind = copy.kind;
            group.isPageable = isPageable;
            group.site = std::move(site);
            ++group.count;
            group.rows.push_back(copy.event);
            group.bytes = saturatingAdd(group.bytes, copy.bytes);
            group.ns = saturatingAdd(group.ns, range.length().v);
            group.waited += call && hostWaited(context, *call, range.end) ? 1U : 0U;
        }
        const DeviceBusy& busy = context.busy[d];
        result.exposedNs += IntervalSet::fromUnsorted(std::move(ranges))
                                .minus(busy.byWork[0])
                                .minus(busy.byWork[1])
                                .measureIn(context.window)
                                .v;
    }
    for (auto& [key, group] : groups) {
        result.count += group.count;
        result.pageable += group.isPageable ? group.count : 0;
        result.waited += group.waited;
        result.ns = saturatingAdd(result.ns, group.ns);
        result.groups.push_back(std::move(group));
    }
    std::stable_sort(result.groups.begin(), result.groups.end(),
                     [](const CopyGroup& a, const CopyGroup& b) { return a.ns > b.ns; });
    if (!result.groups.empty())
        result.longest = result.groups.front().longest;
    return result;
}

std::vector<EventId> HostCopies::rows() const {
    std::vector<EventId> all;
    all.reserve(count);
    for (const CopyGroup& group : groups)
        all.insert(all.end(), group.rows.begin(), group.rows.end());
    std::sort(all.begin(), all.end());
    return all;
}

std::string_view directionTitle(CopyKind kind) {
    switch (kind) {
    case CopyKind::HtoD:
    case CopyKind::HtoA:
    case CopyKind::UnifiedHtoD:
        return "host to device";
    case CopyKind::DtoH:
    case CopyKind::AtoH:
    case CopyKind::UnifiedDtoH:
        return "device to host";
    default:
        return "of unknown direction";
    }
}

} // namespace lacuna::findings
