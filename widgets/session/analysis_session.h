#pragma once
// The open document: loads a trace off the UI thread, runs the analyses that the window shows, owns
// selection, callouts and undo, and publishes. It decides nothing about pixels.
//
// Opening keeps the present document until the new one is complete; a cancelled or failed load changes
// nothing of it. Where none is open, what is read so far is shown meanwhile: a preview. It has lanes and rows
// only, since the rows that would fill a gap may still come. All results are immutable and shared.

#include "core/analysis/covered_time.h"
#include "core/analysis/device_busy.h"
#include "core/analysis/gap_analysis.h"
#include "core/analysis/steps.h"
#include "core/cache/cached_load.h"
#include "core/document/annotations.h"
#include "core/document/completeness.h"
#include "core/document/trace_survey.h"
#include "core/view/row_layout.h"
#include "widgets/session/job_slot.h"
#include "widgets/session/selection_model.h"
#include "widgets/tables/gap_rows.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lacuna::ui {

// For people: the name without folders, "standard input" for the path "-".
QString displayName(const QString& path);

// The unions of a DeviceBusy, for questions about any window: a pass over a million ranges would be felt.
struct CoveredTimes {
    explicit CoveredTimes(const DeviceBusy& device); // which must stay where it is
    CoveredTime busy;
    std::array<CoveredTime, 4> byWork;
};

struct Document {
    QString path;
    QString member; // of an archive, as asked for
    CachedLoad loaded;
    std::shared_ptr<const GapAnalysis> gaps; // null in a preview
    std::shared_ptr<const GapRows> gapRows;  // for the default threshold
    std::vector<GapId> gapsByTime;           // the listed ones, for walks
    std::vector<DeviceBusy> busy;            // by device
    std::vector<CoveredTimes> covered;       // beside busy
    Steps steps;
    LayoutFacts facts;
    Completeness completeness;
    // Bytes as stored that were read when somebody asked for what was there; none: all that there is.
    std::optional<std::uint64_t> stoppedAt;
    DurationNs readFor{0}; // of the trace, until then
    // What was chosen of the file, in its own time; none: everything.
    std::optional<FileStretch> stretch;
    bool isWhole() const { return !stoppedAt && !stretch; }
    std::vector<Issue> notes; // of the import report and of the checks, errors first; none in a preview
    const Trace& trace() const { return *loaded.trace; }
};

struct OpenFailure {
    QString path;
    Error error;
    QString member;
    // The trace was not read since it would need more memory than there is; it can be read all the same
    // (OpenHow), where mayBePart so far as there is room.
    bool lacksMemory = false, mayBePart = false;
    std::uint64_t neededBytes = 0; // of memory, where it lacks
};

// A file that was looked through for its steps.
struct Surveyed {
    QString path, member;
    TraceSurvey survey;
};

enum class OpenHow : std::uint8_t {
    Careful, // fails where there is too little memory
    Part,    // ends where the memory does
    Anyway
};

struct LoadProgress {
    QString path;
    std::uint64_t bytesDone = 0, bytesTotal = 0, events = 0;
    JobControl::Phase phase = JobControl::Phase::Reading;
    double seconds = 0;   // since the load began
    bool canStop = false; // stopOpen() would give what is read so far
};

class ReplayResults;

class AnalysisSession : public QObject {
    Q_OBJECT
public:
    using Loader = std::function<Result<CachedLoad>(const QString&, JobControl&, const LoadOptions&)>;

    explicit AnalysisSession(QObject* parent = nullptr);
    ~AnalysisSession() override;

    const Document* document() const { return m_document.get(); }                 // null: nothing open
    std::shared_ptr<const Document> sharedDocument() const { return m_document; } // for jobs
    // What the timeline draws: the document, else the preview of what is being read, else null.
    const Document* shown() const { return m_document != nullptr ? m_document.get() : m_preview.get(); }
    bool isPreview() const { return m_document == nullptr && m_preview != nullptr; }
    SelectionModel& selection() { return m_selection; }
    QUndoStack& undoStack() { return m_undo; }
    AnnotationSet& annotations() { return m_annotations; }
    const AnnotationSet& annotations() const { return m_annotations; }

    // `member` as LoadOptions::member.
    void open(const QString& path, const QString& member = {}, OpenHow how = OpenHow::Careful);
    // Looks a file through for its steps; surveyed() tells the end, failed() that there is none to be told.
    void survey(const QString& path, const QString& member);
    const std::optional<Surveyed>& lastSurvey() const { return m_surveyed; }
    // Reads the rows that touch a stretch, whatever memory there is.
    void openStretch(const QString& path, const QString& member, FileStretch stretch);
    void cancelOpen(); // the present document, or none, stays
    // Ends the reading: what is read so far becomes the document. Nothing where that is not offered.
    void stopOpen();
    const QString& loadingPath() const { return m_loadingPath; } // of the last open
    const QString& loadingMember() const { return m_loadingMember; }
    // Everything that runs is given up, without a signal: the event loop goes, the session stays.
    void stopJobs();
    // Says again what is open, to widgets that were made after it was opened.
    void tellAgain();
    void close();
    void reload();
    bool isLoading() const { return m_slot.isRunning(); }
    LoadProgress progress() const;
    const std::optional<OpenFailure>& failure() const {
        return m_failure;
    } // of the last open, until the next
    void dismissFailure();

    // All recorded fields of an event, read from the file now (at most 50 ms).
    Result<EventDetails> details(EventId event);
    // The story of a gap; the last one is kept.
    const GapStory& story(GapId gap);
    // Critical path and what-if, made when they are asked for.
    ReplayResults& replay() { return *m_replay; }

    std::optional<std::uint64_t> freeBytes() const { return m_free(); }
    // Tells how much memory is free; tests put their own here.
    void setFreeMemory(std::function<std::optional<std::uint64_t>()> free) { m_free = std::move(free); }
    // Reads files; tests put their own here.
    void setLoader(Loader loader) { m_loader = std::move(loader); }

    // To be called after every change of annotations().
    void notifyAnnotations() { Q_EMIT annotationsChanged(); }

Q_SIGNALS:
    void documentChanged(); // opened, replaced or closed; also when a preview is dropped
    void previewChanged();  // there is a preview, or a fuller one
    void loadStarted();
    void loadProgress();
    void loadEnded(); // opened, failed or cancelled
    void failed();
    void surveyed();
    void annotationsChanged();

private:
    // What every job that reads a file begins with; the number of the load.
    std::uint64_t begin(const QString& file, const QString& member);
    void start(const QString& path, const QString& member, OpenHow how, std::optional<FileStretch> stretch);
    void adopt(std::shared_ptr<const Document> document);
    void showPreview(std::uint64_t load, std::shared_ptr<const Document> preview);
    void dropPreview();
    void carrySelection(const Trace& from, const Trace& to);

    Loader m_loader;
    std::function<std::optional<std::uint64_t>()> m_free;
    std::shared_ptr<const Document> m_document, m_preview; // at most one
    std::uint64_t m_load = 0;                              // number of the present load
    SelectionModel m_selection;
    AnnotationSet m_annotations;
    QUndoStack m_undo;
    QString m_loadingPath, m_loadingMember;
    std::int64_t m_loadStartedMs = 0;
    std::shared_ptr<ReadingStop> m_stop; // of the last load
    std::optional<OpenFailure> m_failure;
    std::optional<Surveyed> m_surveyed;
    GapId m_storyGap;
    GapStory m_story;
    ReplayResults* m_replay; // a child
    JobSlot m_storing;       // writes the index cache
    JobSlot m_slot;          // last: its destructor waits for the running job
};

} // namespace lacuna::ui
