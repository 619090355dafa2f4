#include "widgets/session/analysis_session.h"

#include "core/cache/index_cache.h"
#include "core/import/byte_source.h"

#include <QDateTime>
#include <QFileInfo>

#include <utility>

namespace lacuna::ui {

namespace {

LoadOptions optionsFor(const QString& member) {
    LoadOptions options;
    options.member = member.toStdString();
    options.cacheFolder = defaultCacheFolder();
    return options;
}

// Runs on a worker thread: everything that the first picture needs.
Result<std::shared_ptr<const Document>> loadDocument(const QString& path, const QString& member,
                                                     JobControl& job) {
    auto document = std::make_shared<Document>();
    document->path = path;
    document->member = member;
    auto loaded = loadCached(path.toStdString(), job, optionsFor(member));
    if (!loaded)
        return loaded.error();
    document->loaded = std::move(*loaded);
    job.setPhase(JobControl::Phase::Analysing);
    auto gaps = GapAnalysis::run(document->loaded.trace, GapOptions{}, job);
    if (!gaps)
        return gaps.error();
    document->gaps = *gaps;
    const Trace& trace = document->trace();
    for (std::uint32_t d = 0; d < trace.devices().size(); ++d) {
        if (job.cancelled())
            return Error{Errc::Cancelled, "cancelled", {}, {}};
        document->busy.push_back(deviceBusy(trace, DeviceId{d}, job));
    }
    document->steps = findSteps(trace);
    document->facts = LayoutFacts::of(trace);
    job.setPhase(JobControl::Phase::Done);
    return std::shared_ptr<const Document>(std::move(document));
}

} // namespace

QString displayName(const QString& path) {
    return QString::fromStdString(shownName(path.toStdString()));
}

AnalysisSession::AnalysisSession(QObject* parent) : QObject(parent) {
    connect(&m_slot, &JobSlot::progress, this, &AnalysisSession::loadProgress);
}

AnalysisSession::~AnalysisSession() = default;

void AnalysisSession::open(const QString& path, const QString& member) {
    using DocumentPtr = std::shared_ptr<const Document>;
    const QString file = isStandardInput(path.toStdString()) ? path : QFileInfo(path).absoluteFilePath();
    m_loadingPath = file;
    m_loadStartedMs = QDateTime::currentMSecsSinceEpoch();
    m_failure.reset();
    m_slot.start<DocumentPtr>([file, member](JobControl& job) { return loadDocument(file, member, job); },
                              [this, file, member](Result<DocumentPtr> result) {
                                  if (result) {
                                      adopt(std::move(*result));
                                  } else {
                                      m_failure = OpenFailure{file, result.error(), member};
                                      Q_EMIT failed();
                                  }
                                  Q_EMIT loadEnded();
                              });
    Q_EMIT loadStarted();
}

void AnalysisSession::cancelOpen() {
    if (!m_slot.isRunning())
        return;
    m_slot.cancel();
    Q_EMIT loadEnded();
}

void AnalysisSession::close() {
    cancelOpen();
    dismissFailure();
    if (m_document != nullptr)
        adopt(nullptr);
}

void AnalysisSession::reload() {
    if (m_document != nullptr)
        open(QString(m_document->path), QString(m_document->member));
    else if (m_failure)
        open(QString(m_failure->path), QString(m_failure->member));
}

void AnalysisSession::dismissFailure() {
    if (!m_failure)
        return;
    m_failure.reset();
    Q_EMIT failed();
}

void AnalysisSession::adopt(std::shared_ptr<const Document> document) {
    // A reload of the same file keeps the callouts: they are anchored by lane and time, not by row number.
    const bool sameFile = document != nullptr && m_document != nullptr &&
                          document->path == m_document->path && document->member == m_document->member;
    m_selection.clear(Origin::Session);
    m_storyGap = {};
    m_story = {};
    m_document = std::move(document);
    if (!sameFile) {
        m_undo.clear();
        m_annotations = {};
    }
    Q_EMIT documentChanged();
    Q_EMIT annotationsChanged();
    if (m_document != nullptr && m_document->loaded.toStore != nullptr)
        m_storing.start<bool>(
            [document = m_document](JobControl& job) -> Result<bool> {
                return storeIndex(document->loaded, job);
            },
            [](const Result<bool>&) {}); // the next load is slower without it, that is all
}

LoadProgress AnalysisSession::progress() const {
    LoadProgress progress;
    progress.path = m_loadingPath;
    progress.seconds = static_cast<double>(QDateTime::currentMSecsSinceEpoch() - m_loadStartedMs) / 1000.0;
    if (const JobControl* job = m_slot.job()) {
        progress.bytesDone = job->bytesDone();
        progress.bytesTotal = job->bytesTotal();
        progress.events = job->events();
        progress.phase = job->phase();
    }
    return progress;
}

Result<EventDetails> AnalysisSession::details(EventId event) {
    if (m_document == nullptr || m_document->loaded.details == nullptr)
        return Error{Errc::Unsupported, "the source cannot be read again", {}, {}};
    return m_document->loaded.details->read(SourceRef{m_document->trace().events().source[event.v]});
}

const GapStory& AnalysisSession::story(GapId gap) {
    if (m_storyGap != gap) {
        m_story = m_document->gaps->explain(m_document->gaps->gap(gap));
        m_storyGap = gap;
    }
    return m_story;
}

} // namespace lacuna::ui
