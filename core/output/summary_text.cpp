#include "core/base/text_format.h"
#include "core/output/notes_output.h"
#include "core/output/summary_output.h"
#include "core/output/text_table.h"
#include "core/output/utf8.h"

namespace lacuna {

namespace {

void writeFacts(const Summary& summary, TextSink& sink) {
    const TraceFacts& facts = summary.trace->facts();
    const TimeRange window = summary.trace->window();
    sink.write(printable(facts.fileName) + '\n');
    sink.write("Format   " + facts.format +
               (facts.writer.empty() ? "" : ", written by " + printable(facts.writer)) + ", " +
               formatBytes(facts.fileSize) + '\n');
    sink.write("SHA-256  " + summary.sha256 + '\n');
    sink.write("Window   " + formatDuration(window.length()) + " (from " + formatExact({window.begin.v}) +
               " to " + formatExact({window.end.v}) + ")\n");
    writeRowsText(sink, summary.trace->report());
    const Steps& steps = summary.steps;
    if (steps.events.empty())
        sink.write("Steps    none found\n");
    else
        sink.write("Steps    " + formatCount(steps.events.size()) + " (" + printable(steps.source) +
                   "): median " + formatDuration({steps.medianNs}) + ", min " +
                   formatDuration({steps.minNs}) + ", p95 " + formatDuration({steps.p95Ns}) + ", max " +
                   formatDuration({steps.maxNs}) + '\n');
}

void writeDevice(const Trace& trace, const DeviceBusy& busy, TextSink& sink) {
    const std::int64_t span = busy.span.length().v;
    sink.write('\n' + printable(deviceTitle(trace, busy.device)) + '\n');
    sink.write("  " + formatCount(busy.ops) + (busy.ops == 1 ? " operation from " : " operations from ") +
               formatDuration({busy.span.begin.v}) + " to " + formatDuration({busy.span.end.v}) + ", span " +
               formatDuration({span}) + '\n');
    sink.write("  busy " + formatDuration({busy.busyNs}) + " (" + shareText(busy.busyNs, span) +
               " of the span), idle " + formatDuration({busy.idleNs()}) + " (" +
               shareText(busy.idleNs(), span) + "); sum of durations " + formatDuration({busy.sumNs}) + '\n');
    TextTable states({{"state (exclusive)"}, {"time", true}, {"of span", true}});
    for (unsigned mask = 0; mask < busy.stateNs.size(); ++mask)
        if (const std::int64_t ns = busy.stateNs[mask]; ns > 0)
            states.add({stateName(mask), formatDuration({ns}), shareText(ns, span)});
    states.write(sink, kTextWidth, 4);
    sink.write("  exposed: communication " + formatDuration({busy.exposedCommunicationNs()}) +
               ", copies and memsets " + formatDuration({busy.exposedCopyNs()}) + '\n');
}

} // namespace

void writeSummaryText(const Summary& summary, TextSink& sink) {
    writeFacts(summary, sink);
    if (summary.devices.empty())
        sink.write('\n' + std::string(noDeviceText(summary.trace->report())) + '\n');
    for (const DeviceBusy& busy : summary.devices)
        writeDevice(*summary.trace, busy, sink);
    writeNotesText(sink, allNotes(summary.trace->report(), summary.completeness), false);
}

} // namespace lacuna
