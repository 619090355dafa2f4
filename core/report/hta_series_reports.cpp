// Queues and copies of Holistic Trace Analysis, as step functions and in summary: exact by default, as that
// tool prints them with --definition hta.

#include "core/analysis/hta_series.h"
#include "core/analysis/stream_summary.h"
#include "core/report/builtin.h"
#include "core/report/copy_names.h"
#include "core/report/hta_input.h"
#include "core/report/report_rows.h"

#include <string>
#include <utility>

namespace lacuna::reports {

namespace {

constexpr std::int32_t kHtaQueueLimit = 1'024; // of that tool; the hardware's is kQueueLimit
constexpr const char* kNoHtaLaunch = "No operation of the device has a recorded launching call.";
constexpr const char* kNoHtaCopies = "The trace has no copies and no memsets.";

Result<std::vector<HtaQueue>> queuesOf(const ReportInput& input, JobControl& job) {
    const HtaOptions options = htaOptionsOf(input);
    const auto rows = htaRows(input.trace, options, job);
    if (!rows)
        return rows.error();
    return htaQueues(input.trace, *rows, options, job);
}

Result<std::vector<HtaBandwidth>> bandwidthsOf(const ReportInput& input, JobControl& job) {
    const HtaOptions options = htaOptionsOf(input);
    const auto rows = htaRows(input.trace, options, job);
    if (!rows)
        return rows.error();
    const auto recorded = htaRecordedBandwidths(input.trace, input.details, *rows, job);
    if (!recorded)
        return recorded.error();
    return htaBandwidths(input.trace, *rows, *recorded, options, job);
}

} // namespace

Result<ReportTable> queueLengthSummary(const ReportInput& input, JobControl& job) {
    const auto queues = queuesOf(input, job);
    if (!queues)
        return queues.error();
    const bool isHta = input.options.definition == ReportDefinition::Hta;
    std::vector<ReportColumn> columns = {integerColumn("Stream"), integerColumn("Count")};
    addDistributionColumns(columns, "", 6);
    columns.push_back(nsColumn("Blocked (ns)"));
    ReportTable table(std::move(columns));
    for (const HtaQueue& queue : *queues) {
        if (job.cancelled())
            return cancelledError();
        ReportTable::Row row = table.addRow();
        row.integer(queue.stream).integer(static_cast<std::int64_t>(queue.length.size()));
        addDistribution(row, distributionOf({queue.length.begin(), queue.length.end()}));
        row.ns(htaBlockedNs(queue, isHta ? kHtaQueueLimit : static_cast<std::int32_t>(kQueueLimit)));
    }
    addHtaNote(table, input, kNoHtaLaunch);
    return table;
}

Result<ReportTable> queueLengthTimeSeries(const ReportInput& input, JobControl& job) {
    const auto queues = queuesOf(input, job);
    if (!queues)
        return queues.error();
    ReportTable table({integerColumn("Stream"), nsColumn("Time (ns)"), integerColumn("Queue Length")});
    RowPoll poll(job);
    for (const HtaQueue& queue : *queues)
        for (std::size_t i = 0; i < queue.length.size(); ++i) {
            if (!poll.tick())
                return cancelledError();
            table.addRow().integer(queue.stream).ns(queue.timeNs[i]).integer(std::int64_t{queue.length[i]});
        }
    addHtaNote(table, input, kNoHtaLaunch);
    return table;
}

// Without 0, as that tool: bandwidth while something was copied.
Result<ReportTable> memoryBwSummary(const ReportInput& input, JobControl& job) {
    const auto bandwidths = bandwidthsOf(input, job);
    if (!bandwidths)
        return bandwidths.error();
    std::vector<ReportColumn> columns = {textColumn("Operation"), integerColumn("Count")};
    addDistributionColumns(columns, " (GB/s)", 6);
    for (ReportColumn column : {integerColumn("Operations"), integerColumn("Bytes"), nsColumn("Union (ns)"),
                                decimalColumn("Bytes by Union (GB/s)", 6)})
        columns.push_back(std::move(column));
    ReportTable table(std::move(columns));
    std::int64_t untold = 0;
    for (const HtaBandwidth& bandwidth : *bandwidths) {
        std::vector<double> values;
        values.reserve(bandwidth.gbPerSecond.size());
        for (const double value : bandwidth.gbPerSecond)
            if (value > 0)
                values.push_back(value);
        ReportTable::Row row = table.addRow();
        row.text(bandwidth.operation).integer(static_cast<std::int64_t>(values.size()));
        addDistribution(row, distributionOf(std::move(values)));
        untold += bandwidth.untold;
        row.integer(bandwidth.count);
        if (bandwidth.untold == 0)
            row.integer(bandwidth.bytes).ns(bandwidth.unionNs).ratio(bandwidth.bytes, bandwidth.unionNs);
        else
            row.empty().ns(bandwidth.unionNs).empty();
    }
    if (std::string note = untoldBytesNote(untold); !note.empty())
        table.addNote(std::move(note));
    addHtaNote(table, input, kNoHtaCopies);
    return table;
}

Result<ReportTable> memoryBwTimeSeries(const ReportInput& input, JobControl& job) {
    const auto bandwidths = bandwidthsOf(input, job);
    if (!bandwidths)
        return bandwidths.error();
    ReportTable table({textColumn("Operation"), nsColumn("Time (ns)"), decimalColumn("GB/s", 6)});
    for (const HtaBandwidth& bandwidth : *bandwidths)
        for (std::size_t i = 0; i < bandwidth.timeNs.size(); ++i)
            table.addRow()
                .text(bandwidth.operation)
                .ns(bandwidth.timeNs[i])
                .decimal(bandwidth.gbPerSecond[i]);
    addHtaNote(table, input, kNoHtaCopies);
    return table;
}

} // namespace lacuna::reports
