#include "widgets/session/findings_job.h"

#include "core/findings/builtin.h"
#include "core/trace/all_devices.h"
#include "widgets/session/session_settings.h"
#include "widgets/tables/report_job.h"
#include "widgets/text.h"

namespace lacuna::ui {

namespace {

Result<FoundFindings> lookForAll(const Document& document, JobDetails& details,
                                 const std::shared_ptr<const AnalysisSettings>& settings,
                                 const QString& problem, JobControl& job) {
    return details.with([&](DetailReader* reader) -> Result<FoundFindings> {
        const Trace& trace = document.trace();
        const auto context = makeFindingContext(trace, reader, *settings, allDevices(trace), document.gaps,
                                                job, {}, document.busy);
        if (!context)
            return context.error();
        auto found = findAll(**context, job);
        if (!found)
            return found.error();
        return FoundFindings{*std::move(found), text((*context)->windowTitle), problem};
    });
}

} // namespace

FindingsJob::FindingsJob(AnalysisSession& session, QObject* parent) : QObject(parent), m_session(session) {
    SessionSettings& settings = SessionSettings::of(session); // hears of a document before this does
    m_soon.setSingleShot(true);
    m_soon.setInterval(JobSlot::kAfterPaintMs);
    connect(&m_soon, &QTimer::timeout, this, &FindingsJob::start);
    connect(&session, &AnalysisSession::documentChanged, this, [this] {
        forget();
        m_soon.start();
    });
    connect(&settings, &SessionSettings::changed, this, [this] {
        start();
        Q_EMIT changed(); // those of before are none any more
    });
}

FindingsJob::~FindingsJob() {
    m_slot.cancel();
}

void FindingsJob::forget() {
    m_found.reset();
    m_slot.cancel();
}

void FindingsJob::start() {
    m_soon.stop();
    forget();
    const auto document = m_session.sharedDocument();
    if (document == nullptr || document->gaps == nullptr)
        return;
    const SessionSettings& settings = SessionSettings::of(m_session);
    const auto details = std::make_shared<JobDetails>(document->path, document->member);
    m_slot.start<FoundFindings>(
        [document, details, settings = settings.values(), problem = settings.problem()](JobControl& job) {
            return lookForAll(*document, *details, settings, problem, job);
        },
        [this](Result<FoundFindings> found) {
            if (!found)
                return; // only a cancelled job has none
            m_found = *std::move(found);
            Q_EMIT changed();
        });
}

} // namespace lacuna::ui
