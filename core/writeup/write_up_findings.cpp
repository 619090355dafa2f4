// Summary and findings: the sentences of the gap analysis, its evidence and what argues against it.

#include "core/base/text_format.h"
#include "core/output/text_table.h"
#include "core/writeup/write_up_parts.h"

#include <algorithm>
#include <array>

namespace lacuna::writeup {

namespace {

// "host work 12.3 ms, sync 4.02 ms": idle time by class, largest first.
std::string idleByClass(const GapTotals& totals) {
    std::array<std::int64_t, kGapClasses> byClass{};
    for (std::size_t c = 0; c < kGapCauses; ++c)
        byClass[static_cast<std::size_t>(classOf(static_cast<GapCause>(c)))] += totals.partNs[c];
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t c = 0; c < kGapClasses; ++c)
        if (byClass[c] > 0)
            order.emplace_back(-byClass[c], c);
    std::sort(order.begin(), order.end());
    std::string line;
    for (const auto& [negative, cls] : order)
        line.append(line.empty() ? "" : ", ")
            .append(classTitle(static_cast<GapClass>(cls)))
            .append(" ")
            .append(formatDuration({-negative}));
    return line;
}

void addDeviceLine(const Trace& trace, const DeviceGaps& device, Blocks& blocks) {
    const GapTotals& totals = device.totals;
    std::string line = oneLine(deviceTitle(trace, device.device)) + ": busy " +
                       shareText(totals.busyNs, totals.windowNs) + " of " +
                       formatDuration({totals.windowNs}) + ", idle " + formatDuration({totals.idleNs}) +
                       " in " + formatCount(totals.gaps) + " gaps";
    if (totals.idleNs > 0)
        line += ": " + idleByClass(totals);
    if (const std::int64_t edges = totals.edgeStartNs + totals.edgeEndNs; edges > 0)
        line += ". Before the first and after the last operation: " + formatDuration({edges});
    blocks.text(line + ".");
}

std::vector<std::string> noteLines(const std::vector<GapNote>& notes) {
    std::vector<std::string> lines;
    lines.reserve(notes.size());
    for (const GapNote& note : notes)
        lines.push_back(oneLine(note.text));
    return lines;
}

void addGroup(const GapsReport& gaps, const DeviceGaps& device, const GroupRow& group, std::size_t number,
              Blocks& blocks) {
    const GapAnalysis& analysis = *gaps.analysis;
    const Gap& worst = *group.worst.gap;
    const GapStory story = analysis.explain(worst);
    blocks.heading(3, std::to_string(number) + ". " + formatDuration({group.totalNs}) + ", " +
                          std::string(classTitle(classOf(group.cause))) + ": " + oneLine(group.where));
    blocks.text(oneLine(story.verdict));
    const GapId id{static_cast<std::uint32_t>(&worst - analysis.gaps().data())};
    blocks.figure(id, "The longest of them, " + formatDuration(worst.length()) + " from " +
                          formatDuration({worst.range.begin.v}) + " on.");
    blocks.fields(
        {{"Gaps", formatCount(group.count)},
         {"Together", formatDuration({group.totalNs}) + ", " +
                          shareText(group.totalNs, device.totals.idleNs) + " of the idle time"},
         {"Could save", "at most " + formatDuration({group.boundNs}) + "; expect less, other work may move"},
         {"Cause", std::string(causeName(group.cause)) + ", " +
                       std::string(confidenceName(worst.confidence)) + " confidence" +
                       (story.confidenceReason.empty() ? "" : ": " + oneLine(story.confidenceReason))}});
    blocks.text("Evidence");
    std::vector<std::string> evidence = noteLines(story.evidence);
    if (evidence.empty())
        evidence.emplace_back("none beyond the times themselves");
    blocks.list(std::move(evidence));
    if (!story.against.empty()) {
        blocks.text("Argues against it, or was not seen");
        blocks.list(noteLines(story.against));
    }
    if (!story.tries.empty()) {
        blocks.text("Try");
        std::vector<std::string> tries;
        tries.reserve(story.tries.size());
        for (const std::string& line : story.tries)
            tries.push_back(oneLine(line));
        blocks.list(std::move(tries));
    }
}

void addGroupTable(const DeviceGaps& device, Blocks& blocks) {
    WriteUpBlock& table = blocks.table({">#", "cause", "where", ">count", ">total", ">of idle", ">bound"},
                                       "Groups of gaps, worst first");
    const std::size_t count = std::min(kTableRows, device.groups.size());
    for (std::size_t i = 0; i < count; ++i) {
        const GroupRow& group = device.groups[i];
        table.rows.push_back({std::to_string(i + 1), std::string(classTitle(classOf(group.cause))),
                              oneLine(group.where), formatCount(group.count), formatDuration({group.totalNs}),
                              shareText(group.totalNs, device.totals.idleNs),
                              formatDuration({group.boundNs})});
    }
    if (count < device.groups.size())
        blocks.text("and " + formatCount(device.groups.size() - count) + " more groups.");
}

} // namespace

void addSummary(const Summary& summary, const GapsReport& gaps, Blocks& blocks) {
    blocks.heading(2, "Summary");
    const Trace& trace = *summary.trace;
    const Steps& steps = summary.steps;
    if (!steps.events.empty())
        blocks.text(formatCount(steps.events.size()) + " steps (" + oneLine(steps.source) + "): median " +
                    formatDuration({steps.medianNs}) + ", shortest " + formatDuration({steps.minNs}) +
                    ", longest " + formatDuration({steps.maxNs}) + ".");
    if (gaps.devices.empty())
        blocks.text("No device activity is in this file.");
    for (const DeviceGaps& device : gaps.devices)
        addDeviceLine(trace, device, blocks);
}

Status addFindings(const GapsReport& gaps, Blocks& blocks, JobControl& job) {
    for (const DeviceGaps& device : gaps.devices) {
        blocks.heading(2, "Idle time of " + oneLine(deviceTitle(gaps.analysis->trace(), device.device)));
        if (device.groups.empty()) {
            blocks.text("No idle gap was found.");
            continue;
        }
        addGroupTable(device, blocks);
        for (std::size_t i = 0; i < std::min(kFindings, device.groups.size()); ++i) {
            if (job.cancelled())
                return Error{Errc::Cancelled, "cancelled", {}, {}};
            addGroup(gaps, device, device.groups[i], i + 1, blocks);
        }
    }
    return ok();
}

} // namespace lacuna::writeup
