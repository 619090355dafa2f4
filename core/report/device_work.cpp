#include "core/report/device_work.h"

#include "core/import/arg_columns.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lacuna {

Result<std::vector<DeviceWorkRows>> workByDevice(const ReportInput& input, KindMask kinds, JobControl& job) {
    const Trace& trace = input.trace;
    const auto ops = rowsByStart(input, kinds, job);
    if (!ops)
        return cancelledError();
    std::vector<DeviceWorkRows> all(trace.devices().size());
    for (const EventId op : *ops) {
        const DeviceId device = trace.lane(trace.laneOf(op)).device;
        if (!device)
            continue;
        DeviceWorkRows& work = all[device.v];
        if (work.ops.empty()) {
            work.device = device;
            work.firstStart = trace.events().beginNs[op.v];
            work.lastEnd = trace.events().endNs[op.v];
        }
        work.lastEnd = std::max(work.lastEnd, trace.events().endNs[op.v]);
        work.ops.push_back(op);
    }
    std::erase_if(all, [](const DeviceWorkRows& work) { return work.ops.empty(); });
    return all;
}

Result<std::vector<std::optional<std::int64_t>>>
contextsOf(const ReportInput& input, const std::vector<EventId>& ops, JobControl& job) {
    constexpr std::array<std::string_view, 1> kColumns = {"contextId"};
    const auto args = ArgColumns::read(input.trace, input.details, ops, kColumns, job);
    if (!args)
        return args.error();
    std::vector<std::optional<std::int64_t>> contexts;
    contexts.reserve(ops.size());
    for (std::size_t i = 0; i < ops.size(); ++i)
        contexts.push_back(args->value(i, 0));
    return contexts;
}

} // namespace lacuna
