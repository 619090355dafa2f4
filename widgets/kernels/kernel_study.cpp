#include "widgets/kernels/kernel_study.h"

#include "core/ncu/read_ncu.h"
#include "core/report/kernel_table.h"
#include "widgets/text.h"

#include <QFileInfo>

#include <algorithm>

namespace lacuna::ui {

namespace {

struct Studied {
    std::shared_ptr<const KernelFacts> facts;
    std::shared_ptr<const LaunchConfigs> configs;
};

struct StudyInput {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<JobDetails> details;
    std::shared_ptr<const LaunchConfigs> configs;
    KernelGrouping grouping;
    std::optional<TimeRange> range;
};

struct FoundWork {
    std::shared_ptr<const HostTree> tree;
    std::optional<KernelWork> work;
};

Result<FoundWork> lookForWork(const std::shared_ptr<const Trace>& trace, JobDetails& details,
                              std::shared_ptr<const HostTree> tree, EventId kernel, JobControl& job) {
    if (tree == nullptr) {
        auto built = HostTree::build(*trace, {false, false}, job);
        if (!built)
            return built.error();
        tree = std::make_shared<const HostTree>(*std::move(built));
    }
    auto work = details.with([&](DetailReader* reader) { return kernelWork(*trace, *tree, reader, kernel); });
    return FoundWork{std::move(tree), std::move(work)};
}

Result<Studied> study(const StudyInput& in, JobControl& job) {
    Studied out{nullptr, in.configs};
    if (out.configs == nullptr) {
        auto read =
            in.details->with([&](DetailReader* reader) { return readLaunchConfigs(*in.trace, reader, job); });
        if (!read)
            return read.error();
        out.configs = std::make_shared<const LaunchConfigs>(*std::move(read));
    }
    auto groups = groupKernels(in.trace, *out.configs, job, in.range);
    if (!groups)
        return groups.error();
    auto bundles = bundleKernels(*groups, in.grouping, job);
    if (!bundles)
        return bundles.error();
    auto table = kernelTable(*groups, *bundles, job);
    if (!table)
        return table.error();
    auto report = shownReport(u"kernels"_s, *std::move(table), job);
    if (!report)
        return report.error();
    out.facts = std::make_shared<const KernelFacts>(
        KernelFacts{*std::move(groups), *std::move(bundles), *std::move(report)});
    return out;
}

} // namespace

KernelStudy::KernelStudy(AnalysisSession& session, QObject* parent) : QObject(parent), m_session(session) {
    connect(&m_job, &JobSlot::progress, this, &KernelStudy::progress);
    connect(&session, &AnalysisSession::documentChanged, this, [this] {
        const Document* document = m_session.document();
        m_job.cancel();
        m_working.cancel();
        m_configs.reset();
        m_tree.reset();
        m_work.reset();
        m_details =
            document == nullptr ? nullptr : std::make_shared<JobDetails>(document->path, document->member);
        m_facts.reset();
        join();
        Q_EMIT changed();
    });
}

KernelStudy::~KernelStudy() {
    m_job.cancel();
    m_reading.cancel();
    m_working.cancel();
}

void KernelStudy::setGrouping(KernelGrouping grouping) {
    if (grouping == m_grouping)
        return;
    m_grouping = grouping;
    compute();
}

void KernelStudy::compute() {
    m_job.cancel();
    const Document* document = m_session.document();
    if (document == nullptr)
        return;
    const StudyInput input{document->loaded.trace, m_details, m_configs, m_grouping,
                           m_session.selection().range()};
    m_job.start<Studied>([input](JobControl& job) { return study(input, job); },
                         [this](Result<Studied> done) {
                             if (!done) {
                                 Q_EMIT failed(text(done.error().detail));
                                 return;
                             }
                             m_configs = done->configs;
                             m_facts = done->facts;
                             join();
                             Q_EMIT changed();
                         });
    Q_EMIT started();
}

void KernelStudy::cancel() {
    m_job.cancel();
}

std::optional<std::size_t> KernelStudy::bundleOf(EventId kernel) const {
    if (m_facts == nullptr)
        return std::nullopt;
    const std::int64_t begin = m_facts->groups.trace->events().beginNs[kernel.v];
    const auto& begins = m_facts->groups.trace->events().beginNs;
    for (std::size_t b = 0; b < m_facts->bundles.size(); ++b) {
        const std::vector<EventId>& rows = m_facts->bundles[b].instances; // by start, then by number
        const auto at = std::lower_bound(rows.begin(), rows.end(), kernel, [&](EventId e, EventId wanted) {
            return begins[e.v] != begin ? begins[e.v] < begin : e < wanted;
        });
        if (at != rows.end() && *at == kernel)
            return b;
    }
    return std::nullopt;
}

void KernelStudy::findWork(EventId kernel) {
    m_work.reset();
    const Document* document = m_session.document();
    if (document == nullptr)
        return;
    m_working.start<FoundWork>(
        [trace = document->loaded.trace, details = m_details, tree = m_tree, kernel](JobControl& job) {
            return lookForWork(trace, *details, tree, kernel, job);
        },
        [this](Result<FoundWork> found) {
            if (!found)
                return;
            m_tree = found->tree;
            m_work = found->work;
            Q_EMIT workFound();
        });
}

void KernelStudy::readNcuFile(const QString& file) {
    using File = std::shared_ptr<const NcuFile>;
    m_reading.start<File>([path = file.toStdString()](JobControl& job) { return readNcu(path, job); },
                          [this, file](Result<File> read) {
                              if (!read) {
                                  Q_EMIT ncuFailed(tr("%1 could not be opened: %2 %3")
                                                       .arg(QFileInfo(file).fileName(),
                                                            text(read.error().detail),
                                                            text(read.error().remedy))
                                                       .trimmed());
                                  return;
                              }
                              m_ncu = *std::move(read);
                              join();
                              Q_EMIT ncuChanged();
                          });
}

void KernelStudy::dropNcuFile() {
    m_reading.cancel();
    m_ncu.reset();
    m_joins.clear();
    Q_EMIT ncuChanged();
}

void KernelStudy::join() {
    m_joins.clear();
    if (m_ncu != nullptr && m_facts != nullptr)
        m_joins = joinKernels(*m_ncu, m_facts->groups);
}

std::vector<std::size_t> KernelStudy::profiledOf(const KernelBundle& bundle) const {
    std::vector<std::size_t> launches;
    for (std::size_t k = 0; k < m_joins.size(); ++k)
        if (m_joins[k].group &&
            std::find(bundle.groups.begin(), bundle.groups.end(), *m_joins[k].group) != bundle.groups.end())
            launches.push_back(k);
    std::stable_sort(launches.begin(), launches.end(), [this](std::size_t a, std::size_t b) {
        return m_joins[a].certainty > m_joins[b].certainty;
    });
    return launches;
}

} // namespace lacuna::ui
