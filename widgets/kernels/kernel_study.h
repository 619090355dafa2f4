#pragma once
// The kernels of the open trace, grouped and measured, and an Nsight Compute file beside them: what the
// Kernels panel and the page of one kernel share. Computed in jobs when somebody looks.

#include "core/analysis/kernel_bundles.h"
#include "core/analysis/kernel_work.h"
#include "core/ncu/kernel_join.h"
#include "core/ncu/ncu_file.h"
#include "widgets/session/analysis_session.h"
#include "widgets/tables/report_job.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace lacuna::ui {

struct KernelFacts {
    KernelGroups groups;
    std::vector<KernelBundle> bundles; // beside the rows of the table
    ShownReport report;
};

class KernelStudy : public QObject {
    Q_OBJECT
public:
    explicit KernelStudy(AnalysisSession& session, QObject* parent = nullptr);
    ~KernelStudy() override;

    // Null while they are computed, and without a document.
    const KernelFacts* facts() const { return m_facts.get(); }
    KernelGrouping grouping() const { return m_grouping; }
    void setGrouping(KernelGrouping grouping);
    // Of the selected range, else of the whole trace. Cancels what runs; changed() tells the end.
    void compute();
    void cancel();
    bool isComputing() const { return m_job.isRunning(); }
    // The row of the table whose instances hold a kernel; none.
    std::optional<std::size_t> bundleOf(EventId kernel) const;

    // FLOP and bytes of a kernel, from the shapes recorded with its operator: workFound() tells the end.
    void findWork(EventId kernel);
    // Of the kernel last asked for; none while it is looked for, or where there is none.
    const std::optional<KernelWork>& work() const { return m_work; }

    // Reads a .ncu-rep or a CSV page; ncuChanged() or ncuFailed() tells the end. The file stays when another
    // trace is opened: it is joined to that one.
    void readNcuFile(const QString& file);
    void dropNcuFile();
    const std::shared_ptr<const NcuFile>& ncu() const { return m_ncu; }
    // Beside the file's kernels; empty without a file or without facts.
    const std::vector<NcuJoin>& joins() const { return m_joins; }
    // Launches of the file that were joined to a group of the bundle, most certain first.
    std::vector<std::size_t> profiledOf(const KernelBundle& bundle) const;

Q_SIGNALS:
    void started();
    void progress();
    void changed();                      // facts() are there, or gone
    void failed(const QString& message); // could not be computed
    void workFound();
    void ncuChanged();
    void ncuFailed(const QString& message);

private:
    void join();

    AnalysisSession& m_session;
    KernelGrouping m_grouping = KernelGrouping::Configuration;
    std::shared_ptr<const KernelFacts> m_facts;
    std::shared_ptr<JobDetails> m_details;
    std::shared_ptr<const LaunchConfigs> m_configs; // of the document, once they are read
    std::shared_ptr<const HostTree> m_tree;         // of the document, once work was asked for
    std::optional<KernelWork> m_work;
    std::shared_ptr<const NcuFile> m_ncu;
    std::vector<NcuJoin> m_joins;
    JobSlot m_reading, m_working;
    JobSlot m_job; // last: their destructors wait
};

} // namespace lacuna::ui
