#include "core/analysis/launch_delays.h"

#include <algorithm>
#include <vector>

namespace lacuna {

LaunchDelays launchDelays(const Trace& trace, std::span<const EventId> kernels) {
    const EventTable& events = trace.events();
    std::vector<std::int64_t> latencies, queued;
    for (const EventId kernel : kernels) {
        const auto call = trace.correlations().launchOf(events, kernel);
        if (!call)
            continue;
        latencies.push_back(events.beginNs[kernel.v] - events.beginNs[call->v]);
        queued.push_back(std::max<std::int64_t>(0, events.beginNs[kernel.v] - events.endNs[call->v]));
    }
    LaunchDelays delays;
    delays.known = latencies.size();
    if (latencies.empty())
        return delays;
    for (std::vector<std::int64_t>* values : {&latencies, &queued})
        std::sort(values->begin(), values->end());
    delays.latencyNs = latencies[(latencies.size() - 1) / 2];
    delays.queuedNs = queued[(queued.size() - 1) / 2];
    delays.longestQueuedNs = queued.back();
    return delays;
}

} // namespace lacuna
