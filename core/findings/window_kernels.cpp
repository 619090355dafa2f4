#include "core/findings/window_kernels.h"

#include "core/trace/row_poll.h"

#include <algorithm>
#include <unordered_map>

namespace lacuna::findings {

namespace {

template <class Visit>
void forEachKernelOfWindow(const FindingContext& context, JobControl& job, const Visit& visit) {
    const EventTable& events = context.events();
    RowPoll poll(job);
    for (const Strip& strip : context.trace.strips()) {
        const Lane& lane = context.trace.lane(strip.lane);
        if (lane.kind != LaneKind::GpuStream ||
            std::find(context.devices.begin(), context.devices.end(), lane.device) == context.devices.end())
            continue;
        for (EventId e = strip.first; e < strip.last && poll.tick(); ++e.v) {
            const EventKind kind = events.kind[e.v];
            if ((kind == EventKind::Kernel || kind == EventKind::GraphLaunch) && context.startsInWindow(e))
                visit(e, events.duration(e).v);
        }
    }
}

bool isTiny(const FindingContext& context, EventId e, std::int64_t ns, std::int64_t tinyNs) {
    return ns < tinyNs && context.events().kind[e.v] == EventKind::Kernel;
}

void keepRow(std::vector<EventId>& rows, EventId e) {
    if (rows.size() <= Evidence::kMostRows)
        rows.push_back(e);
}

} // namespace

WindowKernels kernelsOfWindow(const FindingContext& context, std::int64_t tinyNs, JobControl& job) {
    WindowKernels result;
    const EventTable& events = context.events();
    std::unordered_map<std::uint32_t, KernelUse> byName;
    forEachKernelOfWindow(context, job, [&](EventId e, std::int64_t ns) {
        KernelUse& use = byName[events.name[e.v].v];
        use.name = events.name[e.v];
        if (use.count == 0 || events.beginNs[e.v] < events.beginNs[use.first.v])
            use.first = e;
        if (use.count == 0 || ns > events.duration(use.longest).v)
            use.longest = e;
        ++use.count;
        use.ns = saturatingAdd(use.ns, ns);
        if (isTiny(context, e, ns, tinyNs)) {
            ++use.tiny;
            use.tinyNs += ns;
        }
    });
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

std::vector<std::vector<EventId>> rowsOfKernels(const FindingContext& context,
                                                std::span<const StringId> names, std::int64_t tinyNs,
                                                JobControl& job) {
    std::vector<std::vector<EventId>> rows(names.size());
    std::unordered_map<std::uint32_t, std::size_t> places;
    for (std::size_t n = 0; n < names.size(); ++n)
        places[names[n].v] = n;
    forEachKernelOfWindow(context, job, [&](EventId e, std::int64_t ns) {
        if (tinyNs != 0 && !isTiny(context, e, ns, tinyNs))
            return;
        if (const auto at = places.find(context.events().name[e.v].v); at != places.end())
            keepRow(rows[at->second], e);
    });
    return rows;
}

std::vector<EventId> tinyRows(const FindingContext& context, std::int64_t tinyNs, JobControl& job) {
    std::vector<EventId> rows;
    forEachKernelOfWindow(context, job, [&](EventId e, std::int64_t ns) {
        if (isTiny(context, e, ns, tinyNs))
            keepRow(rows, e);
    });
    return rows;
}

} // namespace lacuna::findings
