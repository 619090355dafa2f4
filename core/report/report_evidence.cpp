#include "core/report/report_evidence.h"

#include "core/report/report_rows.h"

#include <algorithm>

namespace lacuna {

namespace {

std::optional<std::int64_t> timeCell(const ReportTable& table, std::size_t row, std::string_view title) {
    const auto column = table.findColumn(title);
    if (!column || table.columns()[*column].type != ReportColumn::Type::Ns || table.isEmpty(row, *column))
        return std::nullopt;
    return table.number(row, *column);
}

} // namespace

ReportEvidence evidenceOf(const ReportTable& table, std::size_t row) {
    ReportEvidence evidence;
    if (const std::int64_t about = table.aboutOf(row); about != ReportTable::kEmpty) {
        const auto bits = static_cast<std::uint64_t>(about);
        evidence.kinds = static_cast<KindMask>(bits >> 32);
        const auto number = static_cast<std::uint32_t>(bits);
        if (evidence.kinds == 0)
            evidence.event = EventId{number};
        else
            evidence.name = StringId{number};
        return evidence;
    }
    const auto start = timeCell(table, row, "Start");
    if (!start)
        return evidence;
    if (const auto duration = timeCell(table, row, "Duration"); duration && *duration >= 0)
        evidence.time = TimeRange{{*start}, {saturatingAdd(*start, *duration)}};
    else if (const auto end = timeCell(table, row, "End"); end && *end >= *start)
        evidence.time = TimeRange{{*start}, {*end}};
    return evidence;
}

std::optional<std::vector<EventId>> instancesOf(const ReportInput& input, const ReportEvidence& evidence,
                                                JobControl& job) {
    std::vector<EventId> rows;
    if (evidence.event)
        rows.push_back(evidence.event);
    if (evidence.kinds == 0)
        return rows;
    const EventTable& events = input.trace.events();
    const bool done = forEachRow(input, evidence.kinds, job, [&](EventId e, const Lane&) {
        if (events.name[e.v] == evidence.name)
            rows.push_back(e);
    });
    if (!done)
        return std::nullopt;
    std::sort(rows.begin(), rows.end(), [&](EventId a, EventId b) {
        return events.beginNs[a.v] != events.beginNs[b.v] ? events.beginNs[a.v] < events.beginNs[b.v] : a < b;
    });
    return rows;
}

} // namespace lacuna
