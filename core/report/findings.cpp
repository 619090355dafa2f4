// findings: what people look for in a trace, one row per statement.

#include "core/findings/builtin.h"
#include "core/report/builtin.h"
#include "core/report/report_rows.h"
#include "core/report/report_settings.h"
#include "core/report/selected_devices.h"

namespace lacuna::reports {

namespace {

class FindingRows {
public:
    FindingRows(ReportTable& table, const FindingContext& context) : m_table(table), m_context(context) {}

    void add(const Finding& finding) {
        add(finding, "suggests", plainEvidence(finding.suggests), finding.costNs);
        for (const Evidence& one : finding.supports)
            add(finding, "supports", one, one.ns);
        for (const Evidence& one : finding.against)
            add(finding, "argues against", one, one.ns);
        for (const std::string& one : finding.tests)
            add(finding, "test it by", plainEvidence(one), 0);
    }

private:
    void add(const Finding& finding, std::string_view part, const Evidence& evidence, std::int64_t ns) {
        ReportTable::Row row = m_table.addRow();
        if (evidence.event)
            row.about(evidence.event);
        row.text(finding.code).text(stateName(finding.state)).text(part).text(evidence.text);
        if (ns != 0)
            row.ns(ns);
        else
            row.empty();
        if (evidence.opens())
            row.ns(evidence.range.begin.v).ns(evidence.range.end.v);
        else
            row.empty().empty();
        if (evidence.event)
            row.text(m_context.trace.nameOf(evidence.event));
        else
            row.text(evidence.gap ? "(gap)" : "");
    }

    ReportTable& m_table;
    const FindingContext& m_context;
};

} // namespace

Result<ReportTable> findings(const ReportInput& input, JobControl& job) {
    const auto context = makeFindingContext(input.trace, input.details, settingsOf(input),
                                            selectedDevices(input), nullptr, job, input.options.range);
    if (!context)
        return context.error();
    const auto found = findAll(**context, job);
    if (!found)
        return found.error();
    ReportTable table({textColumn("Finding"), textColumn("State"), textColumn("Part"), textColumn("Text"),
                       nsColumn("Time (ns)"), nsColumn("Start (ns)"), nsColumn("End (ns)"),
                       textColumn("Evidence")});
    if (input.options.range && (*context)->window.isEmpty())
        return table;
    FindingRows rows(table, **context);
    for (const Finding& finding : *found)
        rows.add(finding);
    table.addNote("About " + (*context)->windowTitle +
                  ". Each finding suggests; none is a verdict. --report settings lists the thresholds.");
    return table;
}

} // namespace lacuna::reports
