#include "core/report/memory_marks.h"

#include "core/import/importer.h"
#include "core/report/report_rows.h"

#include <charconv>

namespace lacuna {

namespace {

std::optional<std::int64_t> markField(const EventDetails& details, std::string_view field) {
    for (const auto& [name, text] : details.fields) {
        if (name != field)
            continue;
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        return error == std::errc() ? std::optional(value) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace

Result<std::vector<AllocatorMark>> allocatorMarks(const ReportInput& input, JobControl& job) {
    std::vector<AllocatorMark> marks;
    const auto name = input.trace.strings().find("[memory]");
    if (!name || input.details == nullptr)
        return marks;
    ReportInput whole = input; // what was allocated before a range is in use in it
    whole.options.range.reset();
    whole.options.device.reset();
    const auto rows = rowsByStart(whole, kindBit(EventKind::Instant), job);
    if (!rows)
        return cancelledError();
    RowPoll poll(job);
    for (const EventId e : *rows) {
        const bool isMark = input.trace.events().name[e.v] == *name; // read from the file: a poll for each
        if (isMark ? job.cancelled() : !poll.tick())
            return cancelledError();
        if (!isMark)
            continue;
        const auto details = input.details->read({input.trace.events().source[e.v]});
        if (!details)
            return details.error();
        const auto bytes = markField(*details, "args.Bytes");
        if (!bytes)
            continue;
        marks.push_back({e, input.trace.events().beginNs[e.v], *bytes, markField(*details, "args.Addr"),
                         markField(*details, "args.Device Id").value_or(0),
                         markField(*details, "args.Device Type").value_or(0) != 0,
                         markField(*details, "args.Total Allocated")});
    }
    return marks;
}

} // namespace lacuna
