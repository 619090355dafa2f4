#include "widgets/tables/report_job.h"

#include "core/import/byte_source.h"
#include "core/import/open_details.h"
#include "widgets/text.h"

namespace lacuna::ui {

JobDetails::JobDetails(const QString& path, const QString& member)
    : m_path(path.toStdString()), m_member(member.toStdString()) {}

DetailReader* JobDetails::reader() {
    if (!m_wasOpened && !isStandardInput(m_path)) {
        LoadOptions options;
        options.member = m_member;
        if (auto opened = openDetails(m_path, builtinImporters(), options))
            m_reader = *std::move(opened);
    }
    m_wasOpened = true;
    return m_reader.get();
}

Result<ShownReport> computeReport(const Trace& trace, JobDetails& details, const ReportQuery& query,
                                  JobControl& job) {
    auto table = details.with([&](DetailReader* reader) { return runReport(trace, reader, query, job); });
    if (!table)
        return table.error();
    return shownReport(text(query.name), *std::move(table), job);
}

Result<ShownReport> shownReport(QString name, ReportTable table, JobControl& job) {
    auto looks = columnLooks(table, job);
    if (!looks)
        return Error{Errc::Cancelled, "Stopped.", {}, {}};
    return ShownReport{std::move(name), std::make_shared<const ReportTable>(std::move(table)),
                       *std::move(looks)};
}

} // namespace lacuna::ui
