#include "core/findings/window_kernels.h"

#include "core/trace/row_poll.h"

#include <algorithm>
#include <unordered_map>

namespace lacuna::findings {

WindowKernels kernelsOfWindow(const FindingContext& context, std::int64_t tinyNs, JobControl& job) {
    WindowKernels result;
    const EventTable& events = context.events();
    std::unordered_map<std::uint32_t, KernelUse> byName;
    RowPoll poll(job);
    for (const Strip& strip : context.trace.strips()) {
        const Lane& lane = context.trace.lane(strip.lane);
        if (lane.kind != LaneKind::GpuStream ||
            std::find(context.devices.begin(), context.devices.end(), lane.device) == context.devices.end())
            continue;
        for (EventId e = strip.first; e < strip.last && poll.tick(); ++e.v) {
            const EventKind kind = events.kind[e.v];
            if ((kind != EventKind::Kernel && kind != EventKind::GraphLaunch) || !context.startsInWindow(e))
                continue;
            const std::int64_t ns = events.duration(e).v;
            KernelUse& use = byName[events.name[e.v].v];
            use.name = events.name[e.v];
            if (use.count == 0 || events.beginNs[e.v] < events.beginNs[use.first.v])
                use.first = e;
            if (use.count == 0 || ns > events.duration(use.longest).v)
                use.longest = e;
            ++use.count;
            use.ns = saturatingAdd(use.ns, ns);
            if (ns < tinyNs && kind == EventKind::Kernel) {
                ++use.tiny;
                use.tinyNs += ns;
            }
        }
    }
    result.kernels.reserve(byName.size());
    for (auto& [name, use] : byName) {
        result.count += use.count;
        result.tiny += use.tiny;
        result.ns = saturatingAdd(result.ns, use.ns);
        result.tinyNs += use.tinyNs;
        result.kernels.push_back(use);
    }
    std::sort(result.kernels.begin(), result.kernels.end(), [&](const KernelUse& a, const KernelUse& b) {
        return a.ns != b.ns ? a.ns > b.ns
                            : context.trace.strings().view(a.name) < context.trace.strings().view(b.name);
    });
    return result;
}

} // namespace lacuna::findings
