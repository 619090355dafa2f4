#include "core/analysis/launch_delays.h"

#include "core/base/lower_median.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <vector>

namespace lacuna {

LaunchDelays launchDelays(const Trace& trace, std::span<const EventId> kernels, const JobControl& job) {
    const EventTable& events = trace.events();
    std::vector<std::int64_t> latencies, queued;
    RowPoll poll(job);
    for (const EventId kernel : kernels) {
        if (!poll.tick())
            return {};
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
    delays.longestQueuedNs = *std::max_element(queued.begin(), queued.end());
    delays.latencyNs = lowerMedian(latencies);
    delays.queuedNs = lowerMedian(queued);
    return delays;
}

} // namespace lacuna
