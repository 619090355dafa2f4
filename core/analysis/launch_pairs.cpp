#include "core/analysis/launch_pairs.h"

#include "core/base/poll.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lacuna {

namespace {

bool collectPairs(const Trace& trace, JobControl& job, std::vector<LaunchPair>& pairs) {
    const EventTable& events = trace.events();
    for (const Strip& strip : trace.strips()) {
        if (trace.lane(strip.lane).kind != LaneKind::GpuStream)
            continue;
        for (EventId op = strip.first; op < strip.last; ++op.v) {
            if (op.v % kRowsPerPoll == 0) {
                job.countEvents(kRowsPerPoll);
                if (job.cancelled())
                    return false;
            }
            if (!isDeviceOp(events.kind[op.v]))
                continue;
            if (const auto call = trace.correlations().launchOf(events, op))
                pairs.push_back({*call, op, events.beginNs[op.v] - events.beginNs[call->v]});
        }
    }
    return !job.cancelled();
}

std::uint64_t countManyOps(const std::vector<LaunchPair>& pairs) {
    std::vector<EventId> calls;
    calls.reserve(pairs.size());
    for (const LaunchPair& pair : pairs)
        calls.push_back(pair.call);
    std::sort(calls.begin(), calls.end());
    std::uint64_t many = 0;
    for (std::size_t k = 1; k < calls.size(); ++k)
        if (calls[k] == calls[k - 1] && (k == 1 || calls[k - 2] != calls[k])) // the second of its call
            ++many;
    return many;
}

} // namespace

Result<LaunchPairs> launchPairs(const Trace& trace, JobControl& job) {
    LaunchPairs result;
    if (!collectPairs(trace, job, result.pairs))
        return cancelledError();
    const EventTable& events = trace.events();
    std::map<StringId, std::uint64_t> names;
    for (const LaunchPair& pair : result.pairs) {
        const std::int64_t opBegin = events.beginNs[pair.op.v];
        const std::int64_t callEnd = events.endNs[pair.call.v];
        result.startToStartSumNs = saturatingAdd(result.startToStartSumNs, pair.startToStartNs);
        result.delaySumNs = saturatingAdd(result.delaySumNs, std::max<std::int64_t>(0, opBegin - callEnd));
        result.startedBeforeReturn += opBegin < callEnd ? 1 : 0;
        result.startedBeforeCall += pair.startToStartNs < 0 ? 1 : 0;
        ++names[events.name[pair.call.v]];
    }
    for (const auto& [name, count] : names)
        result.apiNames.emplace_back(trace.strings().view(name), count);
    std::sort(result.apiNames.begin(), result.apiNames.end());
    result.callsWithManyOps = countManyOps(result.pairs);
    RowPoll poll(job);
    if (!sortRows(result.pairs, poll, [](const LaunchPair& a, const LaunchPair& b) {
            return std::tie(a.startToStartNs, a.op) < std::tie(b.startToStartNs, b.op);
        }))
        return cancelledError();
    return result;
}

} // namespace lacuna
