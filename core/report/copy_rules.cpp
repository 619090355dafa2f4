#include "core/report/copy_rules.h"

#include "core/import/arg_columns.h"
#include "core/report/vendor_names.h"
#include "core/trace/sort_rows.h"

namespace lacuna {

namespace {

void addMemoryKind(ReportTable::Row& row, MemKind kind) {
    const std::string_view label = memoryKindLabel(kind);
    if (label.empty())
        row.empty();
    else
        row.text(label);
}

} // namespace

bool isCallOf(std::string_view api, std::string_view operation, bool corrected) {
    if (api.starts_with("cuda"))
        return api.substr(4).starts_with(operation);
    return corrected && api.starts_with("cu") && api.substr(2).starts_with(operation);
}

Result<std::vector<CopyCandidate>> selectCopies(const ReportInput& input, EventKind kind,
                                                const CopyCondition& condition, JobControl& job) {
    const Trace& trace = input.trace;
    std::vector<CopyCandidate> selected;
    const bool done = forEachRow(input, kindBit(kind), job, [&](EventId e, const Lane&) {
        const auto call = trace.correlations().launchOf(trace.events(), e);
        const CopyArgs* args = trace.hotArgs().copies.find(e);
        if (!call || args == nullptr)
            return;
        const CopyCandidate candidate{e, trace.nameOf(*call), *args};
        if (condition(candidate))
            selected.push_back(candidate);
    });
    if (!done)
        return cancelledError();
    return selected;
}

Result<ReportTable> copyRuleTable(const ReportInput& input, std::vector<CopyCandidate> copies,
                                  const std::vector<std::string>& kindTitles, JobControl& job) {
    const Trace& trace = input.trace;
    const EventTable& events = trace.events();
    RowPoll poll(job);
    if (!sortRows(copies, poll, [&events](const CopyCandidate& a, const CopyCandidate& b) {
            const std::int64_t left = events.duration(a.op).v, right = events.duration(b.op).v;
            return left != right ? left > right : events.beginNs[a.op.v] < events.beginNs[b.op.v];
        }))
        return cancelledError();
    std::vector<EventId> ops;
    ops.reserve(copies.size());
    for (const CopyCandidate& copy : copies)
        ops.push_back(copy.op);
    constexpr std::array<std::string_view, 2> kColumns = {"contextId", "greenContextId"};
    const auto contexts = ArgColumns::read(input.trace, input.details, ops, kColumns, job);
    if (!contexts)
        return contexts.error();

    std::vector<ReportColumn> columns = {nsColumn("Duration (ns)"), nsColumn("Start (ns)")};
    for (const std::string& title : kindTitles)
        columns.push_back(textColumn(title));
    columns.push_back(decimalColumn("Bytes (MB)", 3));
    for (const char* title : {"PID", "Device ID", "Context ID", "Green Context ID", "Stream ID"})
        columns.push_back(integerColumn(title));
    columns.push_back(textColumn("API Name"));
    ReportTable table(std::move(columns));
    constexpr std::int64_t kMega = 1'000'000;
    for (std::size_t i = 0; i < copies.size(); ++i) {
        const CopyCandidate& copy = copies[i];
        const Lane& lane = trace.lane(trace.laneOf(copy.op));
        ReportTable::Row row = table.addRow();
        row.about(copy.op).ns(events.duration(copy.op).v).ns(events.beginNs[copy.op.v]);
        if (kindTitles.size() > 1)
            addMemoryKind(row, copy.args.src);
        addMemoryKind(row, copy.args.dst);
        row.ratio(copy.args.bytes, kMega)
            .integer(launchingProcessOf(trace, lane.device))
            .integer(ordinalOf(trace, lane.device))
            .integer(contexts->value(i, 0))
            .integer(contexts->valueUnlessZero(i, 1))
            .integer(lane.sourceId)
            .text(copy.api);
    }
    return table;
}

} // namespace lacuna
