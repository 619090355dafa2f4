#include "widgets/session/analysis_session.h"

#include "core/analysis/busy_devices.h"
#include "core/base/free_memory.h"
#include "core/base/text_format.h"
#include "core/cache/index_cache.h"
#include "core/import/byte_source.h"
#include "core/import/memory_need.h"
#include "core/import/read_as.h"
#include "core/import/reading_stop.h"
#include "core/import/slice_details.h"
#include "core/trace/read_part.h"
#include "core/trace/strip_query.h"
#include "widgets/session/replay_results.h"

#include <QDateTime>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace lacuna::ui {

namespace {

using DocumentPtr = std::shared_ptr<const Document>;

std::vector<GapId> listedByTime(const GapAnalysis& analysis) {
    const auto gaps = analysis.gaps();
    std::vector<GapId> listed;
    for (std::uint32_t g = 0; g < gaps.size(); ++g)
        if (gaps[g].length().v >= GapRows::kDefaultThresholdNs)
            listed.push_back(GapId{g});
    std::stable_sort(listed.begin(), listed.end(),
                     [&](GapId a, GapId b) { return gaps[a.v].range.begin < gaps[b.v].range.begin; });
    return listed;
}

std::vector<Issue> worstFirst(std::vector<Issue> notes) {
    std::stable_sort(notes.begin(), notes.end(),
                     [](const Issue& a, const Issue& b) { return a.severity > b.severity; });
    return notes;
}

bool areTimesAsNs(const Document& document) {
    return readAsOf(document.trace().report()).timesAreNs;
}

// What is missing of the memory that a trace needs; none: nothing, or it is not to be told.
std::optional<MemoryNeed> lackOfMemory(const QString& file, const QString& member,
                                       std::optional<std::uint64_t> free, const JobControl& job) {
    const std::string path = file.toStdString();
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (!free || error || !mayNeed(size, *free))
        return std::nullopt;
    const auto need = memoryNeed(path, member.toStdString(), job);
    return need && need->bytes > *free ? need : std::nullopt;
}

// Room is left for what is computed from the trace.
std::uint64_t bytesThatFit(const MemoryNeed& need, std::uint64_t free) {
    constexpr double kShare = 0.7;
    return static_cast<std::uint64_t>(kShare * static_cast<double>(need.storedBytes) *
                                      static_cast<double>(free) / static_cast<double>(need.bytes));
}

// Runs on a worker thread: everything that the first picture needs.
Result<DocumentPtr> makeDocument(const QString& path, const QString& member, CachedLoad loaded,
                                 std::optional<FileStretch> stretch, JobControl& job) {
    auto document = std::make_shared<Document>();
    document->path = path;
    document->member = member;
    document->loaded = std::move(loaded);
    document->stretch = stretch;
    if (document->trace().report().find(kReadingStopped) != nullptr)
        document->stoppedAt = job.bytesDone();
    document->readFor = readUntil(document->trace()).value_or(DurationNs{0});
    job.setPhase(JobControl::Phase::Analysing);
    auto gaps = GapAnalysis::run(document->loaded.trace, GapOptions{}, job);
    if (!gaps)
        return gaps.error();
    document->gaps = *gaps;
    auto gapRows = GapRows::of(
        **gaps, GapRows::kDefaultThresholdNs, [](const GapGroup&) { return true; }, {}, job);
    if (!gapRows)
        return gapRows.error();
    document->gapRows = *std::move(gapRows);
    document->gapsByTime = listedByTime(**gaps);
    const Trace& trace = document->trace();
    BusyDevices devices(trace);
    document->busy.reserve(trace.devices().size()); // `covered` refers to them
    for (std::uint32_t d = 0; d < trace.devices().size(); ++d) {
        if (job.cancelled())
            return cancelledError();
        document->busy.push_back(devices.busy(DeviceId{d}, job));
        document->covered.emplace_back(document->busy.back());
        (void)(*gaps)->totals(DeviceId{d}); // made here, so that they are known when they are shown
    }
    document->steps = findSteps(trace, job);
    document->facts = LayoutFacts::of(trace);
    auto completeness = checkCompleteness(trace, document->loaded.details.get(), job);
    if (!completeness)
        return completeness.error();
    document->completeness = std::move(*completeness);
    document->notes = worstFirst(allNotes(trace.report(), document->completeness));
    job.setPhase(JobControl::Phase::Done);
    return DocumentPtr(std::move(document));
}

// Lanes and rows, and where the devices were busy for sure.
DocumentPtr makePreview(const QString& path, const QString& member, std::shared_ptr<const Trace> trace) {
    auto preview = std::make_shared<Document>();
    preview->path = path;
    preview->member = member;
    preview->loaded.trace = std::move(trace);
    JobControl job;
    BusyDevices devices(preview->trace());
    preview->busy.reserve(preview->trace().devices().size());
    for (std::uint32_t d = 0; d < preview->trace().devices().size(); ++d) {
        preview->busy.push_back(devices.busy(DeviceId{d}, job));
        preview->covered.emplace_back(preview->busy.back());
    }
    preview->facts = LayoutFacts::of(preview->trace());
    return preview;
}

} // namespace

QString displayName(const QString& path) {
    return QString::fromStdString(shownName(path.toStdString()));
}

CoveredTimes::CoveredTimes(const DeviceBusy& device) : busy(device.busy.ranges()) {
    for (std::size_t k = 0; k < byWork.size(); ++k)
        byWork[k] = CoveredTime(device.byWork[k].ranges());
}

AnalysisSession::AnalysisSession(QObject* parent)
    : QObject(parent), m_loader([](const QString& path, JobControl& job, const LoadOptions& options) {
          return loadCached(path.toStdString(), job, options);
      }),
      m_free([] { return freeMemory(); }) {
    connect(&m_slot, &JobSlot::progress, this, &AnalysisSession::loadProgress);
    m_replay = new ReplayResults(*this);
}

AnalysisSession::~AnalysisSession() = default;

void AnalysisSession::open(const QString& path, const QString& member, OpenHow how) {
    start(path, member, how, std::nullopt);
}

void AnalysisSession::openStretch(const QString& path, const QString& member, FileStretch stretch) {
    start(path, member, OpenHow::Anyway, stretch);
}

void AnalysisSession::survey(const QString& path, const QString& member) {
    m_stop = nullptr;
    begin(path, member);
    m_slot.start<TraceSurvey>(
        [path, member](JobControl& job) {
            LoadOptions options;
            options.member = member.toStdString();
            return surveyTrace(path.toStdString(), job, options);
        },
        [this, path, member](Result<TraceSurvey> survey) {
            if (survey) {
                m_surveyed = Surveyed{path, member, *std::move(survey)};
                Q_EMIT loadEnded();
                Q_EMIT surveyed();
                return;
            }
            m_failure = OpenFailure{path, survey.error(), member};
            Q_EMIT failed();
            Q_EMIT loadEnded();
        });
    Q_EMIT loadStarted();
}

std::uint64_t AnalysisSession::begin(const QString& file, const QString& member) {
    m_loadingPath = file;
    m_loadingMember = member;
    m_loadStartedMs = QDateTime::currentMSecsSinceEpoch();
    const std::uint64_t load = ++m_load; // previews that are on their way come too late
    dropPreview();
    return load;
}

void AnalysisSession::start(const QString& path, const QString& member, OpenHow how,
                            std::optional<FileStretch> stretch) {
    const QString file = isStandardInput(path.toStdString()) ? path : QFileInfo(path).absoluteFilePath();
    m_failure.reset();
    m_stop = std::make_shared<ReadingStop>();
    const std::uint64_t load = begin(file, member);
    const auto lack = std::make_shared<std::optional<MemoryNeed>>(); // written by the job, read behind it
    const auto work = [this, file, member, how, stretch, lack, load, loader = m_loader, stop = m_stop,
                       free = m_free,
                       wantsPreview = m_document == nullptr](JobControl& job) -> Result<DocumentPtr> {
        if (how != OpenHow::Anyway) {
            const auto freeBytes = free();
            *lack = lackOfMemory(file, member, freeBytes, job);
            if (*lack && how == OpenHow::Careful)
                return Error{Errc::TooLarge,
                             "This trace needs about " + formatBytes((*lack)->bytes) + " of memory; " +
                                 formatBytes(*freeBytes) + " are free.",
                             {},
                             {}};
            if (*lack)
                stop->askAfter(bytesThatFit(**lack, *freeBytes));
        }
        LoadOptions options;
        std::optional<RowChoice> choice;
        if (stretch)
            options.choice = &choice.emplace(RowChoice::touching(*stretch));
        options.member = member.toStdString();
        options.cacheFolder = defaultCacheFolder();
        options.stop = stop;
        if (wantsPreview)
            options.onSnapshot = [this, file, member, load](std::shared_ptr<const Trace> trace) {
                // The session waits for its jobs before it goes, so `this` is there.
                QMetaObject::invokeMethod(
                    this,
                    [this, load, preview = makePreview(file, member, std::move(trace))]() mutable {
                        showPreview(load, std::move(preview));
                    },
                    Qt::QueuedConnection);
            };
        auto loaded = loader(file, job, options);
        if (!loaded)
            return loaded.error();
        return makeDocument(file, member, std::move(*loaded), stretch, job);
    };
    m_slot.start<DocumentPtr>(work, [this, file, member, lack](Result<DocumentPtr> result) {
        if (result) {
            adopt(std::move(*result));
        } else {
            const bool lacksMemory = *lack && result.error().code == Errc::TooLarge;
            m_failure = OpenFailure{file,
                                    result.error(),
                                    member,
                                    lacksMemory,
                                    lacksMemory && (*lack)->canBePart,
                                    lacksMemory ? (*lack)->bytes : 0};
            dropPreview();
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
    ++m_load; // previews that are on their way come too late
    dropPreview();
    Q_EMIT loadEnded();
}

void AnalysisSession::stopOpen() {
    if (progress().canStop)
        m_stop->ask();
}

void AnalysisSession::stopJobs() {
    m_slot.cancel();
    m_storing.cancel();
    m_replay->stopJobs();
    ++m_load;
}

void AnalysisSession::tellAgain() {
    Q_EMIT documentChanged();
    Q_EMIT annotationsChanged();
}

void AnalysisSession::close() {
    cancelOpen();
    dismissFailure();
    if (m_document != nullptr)
        adopt(nullptr);
}

void AnalysisSession::reload() {
    if (m_document != nullptr && m_document->stretch)
        openStretch(QString(m_document->path), QString(m_document->member), *m_document->stretch);
    else if (m_document != nullptr)
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

void AnalysisSession::adopt(DocumentPtr document) {
    // A reload of the same file keeps the callouts: they are anchored by lane and time, not by row number.
    const bool sameFile = document != nullptr && m_document != nullptr &&
                          document->path == m_document->path && document->member == m_document->member &&
                          areTimesAsNs(*document) == areTimesAsNs(*m_document);
    // The rest of a file takes the place of its beginning.
    const bool isCarried =
        document != nullptr && (m_preview != nullptr || (sameFile && !m_document->isWhole()));
    if (!isCarried)
        m_selection.clear(Origin::Session); // while the view still shows what it was of
    DocumentPtr preview = std::exchange(m_preview, nullptr);
    DocumentPtr before = std::exchange(m_document, std::move(document));
    ++m_load;
    if (isCarried)
        carrySelection((preview != nullptr ? preview : before)->trace(), m_document->trace());
    m_storyGap = {};
    m_story = {};
    if (!sameFile) {
        m_undo.clear();
        m_annotations = {};
    }
    Q_EMIT documentChanged();
    Q_EMIT annotationsChanged();
    // Moved: who lets go last frees them, and that is not to be this thread.
    m_slot.release(std::move(preview));
    m_slot.release(std::move(before));
    if (m_document != nullptr && m_document->loaded.toStore != nullptr)
        m_storing.start<bool>(
            [document = m_document](JobControl& job) -> Result<bool> {
                return storeIndex(document->loaded, job);
            },
            [](const Result<bool>&) {}); // the next load is slower without it, that is all
}

void AnalysisSession::showPreview(std::uint64_t load, DocumentPtr preview) {
    if (load != m_load || !m_slot.isRunning() || m_document != nullptr)
        return m_slot.release(std::move(preview));
    DocumentPtr before = std::exchange(m_preview, std::move(preview));
    if (before != nullptr)
        carrySelection(before->trace(), m_preview->trace());
    Q_EMIT previewChanged();
    m_slot.release(std::move(before));
}

void AnalysisSession::dropPreview() {
    if (m_preview == nullptr)
        return;
    m_selection.clear(Origin::Session); // while the view still shows what it was of
    DocumentPtr preview = std::exchange(m_preview, nullptr);
    Q_EMIT documentChanged();
    m_slot.release(std::move(preview));
}

// The same row of the file; lanes keep their numbers while more are read.
void AnalysisSession::carrySelection(const Trace& from, const Trace& to) {
    const DurationNs shift{from.fileZeroNs() - to.fileZeroNs()};
    std::optional<TimeRange> range = m_selection.range();
    if (range)
        range = TimeRange{range->begin + shift, range->end + shift};
    Selection current = m_selection.current();
    if (const EventId event = m_selection.event()) {
        const auto same = eventFromSource(to, from.events().source[event.v],
                                          TimeNs{from.events().beginNs[event.v]} + shift);
        current = same ? Selection(*same) : Selection();
    }
    m_selection.replace(current, range, Origin::Session);
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
        progress.canStop = m_stop != nullptr && m_stop->isOffered() && job->events() > 0 &&
                           job->phase() == JobControl::Phase::Reading;
    }
    return progress;
}

Result<EventDetails> AnalysisSession::details(EventId event) {
    if (isPreview())
        return Error{Errc::Unsupported, "the file is still being read", {}, {}};
    if (m_document == nullptr || m_document->loaded.details == nullptr)
        return Error{Errc::Unsupported, "the source cannot be read again", {}, {}};
    const Trace& trace = m_document->trace();
    auto details = m_document->loaded.details->read(SourceRef{trace.events().source[event.v]});
    if (details)
        mergeSliceEnd(*details, trace.events().endNs[event.v] + trace.fileZeroNs(),
                      areTimesAsNs(*m_document));
    return details;
}

const GapStory& AnalysisSession::story(GapId gap) {
    if (m_storyGap != gap) {
        m_story = m_document->gaps->explain(m_document->gaps->gap(gap));
        m_storyGap = gap;
    }
    return m_story;
}

} // namespace lacuna::ui
