// launch: from the launching call to the start on the device, per stream. Latency: start - start of the call.
// Queued: what of it came after the call had returned. Operations without a recorded call are left out.

#include "core/analysis/launch_pairs.h"
#include "core/analysis/stream_summary.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/selected_devices.h"
#include "core/report/statistics.h"

#include <algorithm>
#include <map>
#include <string>

namespace lacuna::reports {

namespace {

struct StreamTimes {
    std::vector<std::int64_t> latencyNs, queuedNs;
    std::int64_t beforeReturn = 0; // started before the call returned
};

// Incomplete when the job was cancelled.
std::map<LaneId, StreamTimes> timesByStream(const ReportInput& input, const LaunchPairs& launches,
                                            const JobControl& job) {
    const EventTable& events = input.trace.events();
    std::map<LaneId, StreamTimes> times;
    RowPoll poll(job);
    for (const LaunchPair& pair : launches.pairs) {
        if (!poll.tick())
            break;
        const TimeRange op = events.range(pair.op);
        if (input.options.range && !overlaps(*input.options.range, op.begin.v, op.end.v))
            continue;
        StreamTimes& stream = times[input.trace.laneOf(pair.op)];
        const std::int64_t callEnd = events.endNs[pair.call.v];
        stream.latencyNs.push_back(pair.startToStartNs);
        stream.queuedNs.push_back(std::max<std::int64_t>(0, op.begin.v - callEnd));
        stream.beforeReturn += op.begin.v < callEnd ? 1 : 0;
    }
    return times;
}

ReportTable launchTable() {
    std::vector<ReportColumn> columns = {integerColumn("Device"), integerColumn("Stream"),
                                         integerColumn("Launched")};
    addStatisticsColumns(columns, "Latency ");
    addStatisticsColumns(columns, "Queued ");
    columns.push_back(integerColumn("Started Before Return"));
    columns.push_back(integerColumn("Max Queue Depth"));
    columns.push_back(nsColumn("Blocked (ns)"));
    return ReportTable(std::move(columns));
}

} // namespace

Result<ReportTable> launch(const ReportInput& input, JobControl& job) {
    const auto launches = launchPairs(input.trace, job);
    if (!launches)
        return launches.error();
    std::map<LaneId, StreamTimes> times = timesByStream(input, *launches, job);
    if (job.cancelled())
        return cancelledError();
    ReportTable table = launchTable();
    for (const DeviceId device : selectedDevices(input)) {
        const auto streams = summariseStreams(input.trace, device, job);
        if (!streams)
            return streams.error();
        for (const StreamSummary& stream : *streams) {
            const auto at = times.find(stream.lane);
            if (at == times.end())
                continue;
            ReportTable::Row row = table.addRow();
            row.integer(input.trace.devices()[device.v].ordinal)
                .integer(stream.stream)
                .integer(static_cast<std::int64_t>(at->second.latencyNs.size()));
            addStatistics(row, statisticsOf(at->second.latencyNs));
            addStatistics(row, statisticsOf(at->second.queuedNs));
            row.integer(at->second.beforeReturn).integer(stream.maxQueueDepth).ns(stream.blockedNs);
        }
    }
    table.addNote(table.rows() == 0
                      ? std::string("No operation of the device has a recorded launching call.")
                      : "A long queued time means that the host ran ahead, as it should. Blocked: " +
                            std::to_string(kQueueLimit) +
                            " or more operations waited. Depth and blocked time are of the whole "
                            "trace.");
    return table;
}

} // namespace lacuna::reports
