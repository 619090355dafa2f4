#pragma once
// Reports for panels: computed on a thread of a job, with a reader of the file's details of its own.

#include "core/import/importer.h"
#include "core/report/builtin.h"
#include "widgets/tables/report_table_view.h"

#include <memory>
#include <mutex>
#include <utility>

namespace lacuna::ui {

// The document's own reader belongs to the thread of the window and is not thread-safe; this one is opened
// when the first job wants it, and one job at a time has it.
class JobDetails {
public:
    // Path and member as in Document.
    JobDetails(const QString& path, const QString& member);

    // work(DetailReader*): null where the source cannot be opened again (standard input; a file that is
    // gone).
    template <class Work> auto with(const Work& work) {
        const std::lock_guard lock(m_mutex);
        return work(reader());
    }

private:
    DetailReader* reader();

    std::string m_path, m_member;
    std::mutex m_mutex;
    bool m_wasOpened = false;
    std::unique_ptr<DetailReader> m_reader;
};

Result<ShownReport> computeReport(const Trace& trace, JobDetails& details, const ReportQuery& query,
                                  JobControl& job);
// Makes a table ready to be shown. Error: Cancelled.
Result<ShownReport> shownReport(QString name, ReportTable table, JobControl& job);

} // namespace lacuna::ui
