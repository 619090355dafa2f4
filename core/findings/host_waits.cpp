#include "core/findings/host_waits.h"

#include <algorithm>
#include <map>

namespace lacuna::findings {

std::vector<HostWait> waitsOfWindow(const FindingContext& context) {
    struct Drain {
        std::int64_t ns = 0, longest = 0;
        GapId gap;
    };
    std::unordered_map<std::uint32_t, Drain> drains; // by call
    for (const WindowGap& one : gapsOfWindow(context).gaps) {
        const Gap& gap = context.gapAnalysis->gap(one.id);
        if (!gap.drainedBy)
            continue;
        Drain& drain = drains[gap.drainedBy.v];
        drain.ns = saturatingAdd(drain.ns, gap.syncPartNs);
        if (gap.syncPartNs >= drain.longest) {
            drain.longest = gap.syncPartNs;
            drain.gap = one.id;
        }
    }
    std::vector<HostWait> waits;
    for (std::uint32_t t = 0; t < context.trace.threads().size(); ++t)
        for (const gaps::HoldingCall& call : context.rows.calls({t}).holding) {
            const EventId event = context.tree.event(call.row);
            if (call.hold == gaps::Hold::MayWait || !context.startsInWindow(event) ||
                context.isClosingWait(event))
                continue;
            HostWait wait;
            wait.call = event;
            wait.ns = call.end - call.begin;
            wait.isCopy = context.rows.cls(call.row) != PieceClass::SyncApi;
            if (const auto drain = drains.find(event.v); drain != drains.end()) {
                wait.drainedNs = drain->second.ns;
                wait.drained = drain->second.gap;
            }
            waits.push_back(wait);
        }
    return waits;
}

std::vector<WaitSite> waitsBySite(const FindingContext& context, const std::vector<HostWait>& waits) {
    std::map<std::string, WaitSite> bySite;
    for (const HostWait& wait : waits) {
        HostSite site = hostSiteOf(context, wait.call);
        WaitSite& group = bySite[gaps::withoutNumbers(site.text())];
        if (group.count == 0 || wait.ns > group.longest.ns) {
            group.longest = wait;
            group.site = std::move(site);
        }
        if (wait.drained && (!group.worstDrain.drained || wait.drainedNs > group.worstDrain.drainedNs))
            group.worstDrain = wait;
        ++group.count;
        group.rows.push_back(wait.call);
        group.drains += wait.drained ? 1U : 0U;
        group.ns = saturatingAdd(group.ns, wait.ns);
        group.drainedNs = saturatingAdd(group.drainedNs, wait.drainedNs);
    }
    std::vector<WaitSite> sites;
    sites.reserve(bySite.size());
    for (auto& [name, site] : bySite)
        sites.push_back(std::move(site));
    std::stable_sort(sites.begin(), sites.end(), [](const WaitSite& a, const WaitSite& b) {
        return a.drainedNs != b.drainedNs ? a.drainedNs > b.drainedNs : a.ns > b.ns;
    });
    return sites;
}

std::vector<EventId> callsOf(const std::vector<HostWait>& waits) {
    std::vector<EventId> calls;
    calls.reserve(waits.size());
    for (const HostWait& wait : waits)
        calls.push_back(wait.call);
    return calls;
}

} // namespace lacuna::findings
