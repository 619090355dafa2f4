#include "tests/fuzz/check_model.h"

#include "core/analysis/device_busy.h"
#include "core/analysis/gap_analysis.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace lacuna::fuzz {

namespace {

void requireStrips(const Trace& trace) {
    const EventTable& events = trace.events();
    std::uint32_t next = 0;
    for (std::uint32_t l = 0; l < trace.lanes().size(); ++l)
        for (const Strip& strip : trace.strips(LaneId{l})) {
            require(strip.lane == LaneId{l} && strip.first.v == next && strip.last.v > next,
                    "strips tile the rows");
            std::int64_t busy = 0;
            for (std::uint32_t e = next; e < strip.last.v; ++e) {
                require(events.endNs[e] >= events.beginNs[e], "a row ends after its begin");
                require(e == next || events.endNs[e - 1] <= events.beginNs[e],
                        "rows of a strip are disjoint");
                require(events.name[e].v < trace.strings().size(), "a row has a name");
                busy += events.endNs[e] - events.beginNs[e];
            }
            require(busy >= 0, "busy time of a strip");
            next = strip.last.v;
        }
    require(next == events.size(), "all rows are in strips");
}

void requireReport(const Trace& trace) {
    const ImportReport& report = trace.report();
    std::array<std::uint64_t, kEventKinds> inTable{};
    for (const EventKind kind : trace.events().kind)
        ++inTable[static_cast<std::size_t>(kind)];
    for (std::size_t k = 0; k < kEventKinds; ++k)
        require(!isDeviceOp(static_cast<EventKind>(k)) ||
                    inTable[k] == report.kept(static_cast<EventKind>(k)),
                "device rows are those that were kept");
    require(report.rowsRead() == report.rowsKept() + report.rowsDropped(), "rows read, kept and dropped");
    for (const Issue& issue : report.issues())
        require(!issue.code.empty() && !issue.message.empty() && issue.count > 0, "a note says something");
}

void requireJoins(const Trace& trace) {
    const EventTable& events = trace.events();
    const CorrelationIndex& index = trace.correlations();
    std::size_t members = 0;
    for (std::uint32_t g = 1; g < index.groups(); ++g)
        for (const EventId row : index.members(g)) {
            require(row.v < events.size() && events.correlation[row.v] == g, "a row is in its group");
            ++members;
        }
    for (const std::uint32_t group : events.correlation)
        members -= group != 0;
    require(members == 0, "groups hold the rows that name them");
    for (const FlowLink& link : trace.flows().links())
        require(link.from.v < events.size() && link.to.v < events.size(), "an arrow joins two rows");
}

void requireDevices(const std::shared_ptr<const Trace>& trace) {
    JobControl job;
    const auto analysis = GapAnalysis::run(trace, {}, job);
    require(bool(analysis), "gaps can be analysed");
    for (std::uint32_t d = 0; d < trace->devices().size(); ++d) {
        const DeviceBusy busy = deviceBusy(*trace, {d}, job);
        require(busy.busyNs + busy.idleNs() == busy.span.length().v, "busy and idle make the span");
        const GapTotals totals = (*analysis)->totals({d});
        require(totals.busyNs + totals.idleNs + totals.edgeStartNs + totals.edgeEndNs == totals.windowNs,
                "busy, idle and edges make the window");
        for (const Gap& gap : (*analysis)->gapsOf({d}))
            require(gap.beforeNs + gap.insideNs + gap.afterNs + gap.unknownNs() == gap.length().v,
                    "the parts of a gap make the gap");
    }
}

} // namespace

void require(bool condition, std::string_view text) {
    if (condition)
        return;
    std::fprintf(stderr, "broken: %.*s\n", static_cast<int>(text.size()), text.data());
    std::abort();
}

void requireModel(const std::shared_ptr<const Trace>& trace, bool fromImporter) {
    requireStrips(*trace);
    requireJoins(*trace);
    if (fromImporter)
        requireReport(*trace);
    requireDevices(trace);
}

} // namespace lacuna::fuzz
