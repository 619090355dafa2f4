#include "core/base/text_format.h"
#include "core/output/csv.h"
#include "core/output/gaps_output.h"
#include "core/output/notes_output.h"
#include "core/output/summary_output.h"
#include "core/output/text_table.h"
#include "core/output/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lacuna {

namespace {

constexpr std::size_t kVerdicts = 3; // groups whose worst member is explained in a sentence

// "host 12.3 ms, sync 4.02 ms": idle time by class of the parts, largest first.
std::string partsLine(const GapTotals& totals) {
    std::array<std::int64_t, kGapClasses> byClass{};
    for (std::size_t c = 0; c < kGapCauses; ++c)
        byClass[static_cast<std::size_t>(classOf(static_cast<GapCause>(c)))] += totals.partNs[c];
    std::vector<std::pair<std::int64_t, GapClass>> classes;
    for (std::size_t c = 0; c < kGapClasses; ++c)
        if (byClass[c] > 0)
            classes.emplace_back(byClass[c], static_cast<GapClass>(c));
    std::sort(classes.begin(), classes.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::string line;
    for (const auto& [ns, cls] : classes)
        line.append(line.empty() ? "" : ", ").append(className(cls)).append(" ").append(formatDuration({ns}));
    return line;
}

void writeHead(const GapsReport& report, const DeviceGaps& device, TextSink& sink) {
    const GapTotals& totals = device.totals;
    std::string title = printable(deviceTitle(report.analysis->trace(), device.device));
    if (report.query.stream)
        title += ", gaps of stream " + std::to_string(*report.query.stream);
    sink.write(title + '\n');
    sink.write("  device idle " + formatDuration({totals.idleNs}) + " in " + formatCount(totals.gaps) +
               " gaps (" + shareText(totals.idleNs, totals.windowNs) + " of " +
               formatDuration({totals.windowNs}) + "), busy " + formatDuration({totals.busyNs}));
    if (totals.edgeStartNs + totals.edgeEndNs > 0)
        sink.write(", edges " + formatDuration({totals.edgeStartNs + totals.edgeEndNs}));
    sink.write("\n");
    if (totals.idleNs > 0)
        sink.write("  by cause: " + partsLine(totals) + '\n');
}

void writeGroups(const GapsReport& report, const DeviceGaps& device, TextSink& sink, std::size_t width,
                 JobControl& job) {
    std::int64_t all = 0;
    for (const GroupRow& group : device.groups)
        all += group.totalNs;
    TextTable table({{"#", true},
                     {"cause"},
                     {"where", false, true},
                     {"count", true},
                     {"total", true},
                     {"of idle", true},
                     {"bound", true}});
    for (std::size_t i = 0; i < device.groups.size(); ++i) {
        const GroupRow& group = device.groups[i];
        table.add({std::to_string(i + 1), std::string(causeName(group.cause)), group.where,
                   formatCount(group.count), formatDuration({group.totalNs}), shareText(group.totalNs, all),
                   formatDuration({group.boundNs})});
    }
    sink.write("\n  Groups, worst first\n");
    table.write(sink, width, 2);
    for (std::size_t i = 0; i < std::min(kVerdicts, device.groups.size()) && !job.cancelled(); ++i)
        writeParagraph(sink, "  " + std::to_string(i + 1) + ": ",
                       printable(report.analysis->explain(*device.groups[i].worst.gap).verdict), width);
}

// "cudaStreamSynchronize < aten::_local_scalar_dense"
std::string blockingText(const GapsReport& report, const Gap& gap) {
    const HostPlace place = report.analysis->explain(gap).blocking;
    if (!place.event)
        return "-";
    if (!place.operatorEvent)
        return place.name;
    return place.name + " < " + std::string(report.analysis->trace().nameOf(place.operatorEvent));
}

void writeList(const GapsReport& report, const DeviceGaps& device, TextSink& sink, std::size_t width,
               JobControl& job) {
    TextTable table({{"rank", true},
                     {"start, ms", true},
                     {"length", true},
                     {"cause"},
                     {"confidence"},
                     {"blocking call", false, true}});
    for (const ListedGap& listed : device.list) {
        if (job.cancelled())
            return;
        table.add({std::to_string(listed.rank), formatIn({listed.range.begin.v}, TimeUnit::Ms, 3),
                   formatDuration(listed.range.length()), std::string(causeName(listed.gap->cause)),
                   std::string(confidenceName(listed.gap->confidence)), blockingText(report, *listed.gap)});
    }
    sink.write("\n  Gaps of at least " + formatDuration({report.query.minNs}) + ", in order of time\n");
    table.write(sink, width, 2);
    if (report.query.top && device.list.size() == *report.query.top)
        sink.write("  (only the " + std::to_string(*report.query.top) + " best ranks)\n");
    if (device.shorter > 0)
        sink.write("  and " + formatCount(device.shorter) + " shorter gaps, " +
                   formatDuration({device.shorterNs}) + " in all\n");
}

} // namespace

void writeGapsTable(const GapsReport& report, TextSink& sink, std::size_t width, JobControl& job) {
    if (report.devices.empty())
        sink.write(std::string(noDeviceText(report.analysis->trace().report())) + '\n');
    bool first = true;
    for (const DeviceGaps& device : report.devices) {
        if (!std::exchange(first, false))
            sink.write("\n");
        writeHead(report, device, sink);
        if (!device.groups.empty())
            writeGroups(report, device, sink, width, job);
        if (!device.list.empty())
            writeList(report, device, sink, width, job);
        else
            sink.write("  No gap of " + formatDuration({report.query.minNs}) + " or more.\n");
    }
}

void writeGapsCsv(const GapsReport& report, TextSink& sink, JobControl& job) {
    const Trace& trace = report.analysis->trace();
    const std::array<std::string, 22> header{
        "process",    "device",       "rank",       "start_ns",  "end_ns",        "duration_ns",
        "cause",      "class",        "confidence", "before_ns", "inside_ns",     "after_ns",
        "unknown_ns", "sync_part_ns", "bound_ns",   "role",      "blocking_call", "thread",
        "operator",   "range",        "next",       "verdict"};
    writeCsvRow(sink, header);
    for (const DeviceGaps& device : report.devices) {
        const auto process = processOf(trace, device.device);
        for (const ListedGap& listed : device.list) {
            if (job.cancelled())
                return;
            const Gap& gap = *listed.gap;
            const GapStory story = storyOf(report, listed);
            const GapCuts cuts = cutsOf(listed);
            const HostPlace& blocking = story.blocking;
            const std::array<std::string, 22> row{
                process ? std::to_string(*process) : std::string(),
                std::to_string(trace.devices()[device.device.v].ordinal),
                std::to_string(listed.rank),
                std::to_string(listed.range.begin.v),
                std::to_string(listed.range.end.v),
                std::to_string(listed.range.length().v),
                std::string(causeName(gap.cause)),
                std::string(className(classOf(gap.cause))),
                std::string(confidenceName(gap.confidence)),
                std::to_string(cuts.beforeNs),
                std::to_string(cuts.insideNs),
                std::to_string(cuts.afterNs),
                std::to_string(cuts.unknownNs),
                std::to_string(syncPartOf(gap, story)),
                std::to_string(std::min(gap.boundNs, listed.range.length().v)),
                std::string(blocking.event ? roleName(gap.role) : std::string_view{}),
                blocking.name,
                blocking.thread ? trace.threadTitle(blocking.thread) : std::string(),
                std::string(blocking.operatorEvent ? trace.nameOf(blocking.operatorEvent)
                                                   : std::string_view{}),
                std::string(blocking.ranges.empty() ? std::string_view{}
                                                    : trace.nameOf(blocking.ranges.back())),
                std::string(gap.next ? trace.nameOf(gap.next) : std::string_view{}),
                story.verdict};
            writeCsvRow(sink, row);
        }
    }
}

} // namespace lacuna
