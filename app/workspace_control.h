#pragma once
// Workspaces of the window: finding the trace of a workspace file (or of a picture that holds a view),
// putting view and callouts in place once the trace is open, and saving them. The trace is told by name and
// size, then checked by its hash in the background.

#include "core/document/workspace.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QLockFile>
#include <QObject>
#include <QStringList>

#include <memory>
#include <optional>
#include <utility>

namespace lacuna::ui {

class WorkspaceControl : public QObject {
    Q_OBJECT
public:
    WorkspaceControl(AnalysisSession& session, TimelineViewModel& view);

    // Where it is noted which program has a workspace open; none: nobody is asked.
    void setLockFolder(QString folder) { m_lockFolder = std::move(folder); }
    // Whether a file is a workspace, by name, or a picture of the kinds that Lacuna writes, by content.
    static bool isWorkspace(const QString& file);
    struct Trace {
        QString path, member;
    };
    // Reads it and finds its trace: the one `asked` for, if any; by its path from the workspace, beside it,
    // the open one, else one of `others`; at last by its hash, where a file of its size has another name now.
    // The view waits until documentChanged() sees that trace.
    Result<Trace> read(const QString& file, const QString& asked, const QStringList& others);
    // Whether a workspace or picture is of the trace that is open, by name and size.
    bool isOfOpenTrace(const QString& file) const;
    // Another file is opened: a view that waits for its trace is not applied any more.
    void forgetWaiting();
    void stopJobs() { m_job.cancel(); }
    // To be called when a document is opened or closed. True when a waiting view was put in place.
    bool documentChanged();

    // Workspace file of the open document; empty: none yet.
    QString file() const { return m_file; }
    // Another window has that file open: it is not written from here.
    bool isReadOnly() const { return m_isReadOnly; }
    // Writes view and callouts. The trace's hash is read first, where it is not known: saved() or failed()
    // tells the end.
    void save(const QString& file);
    // What save() would write into a file of that name (empty: the trace's path is left out).
    Workspace current(const QString& file, const std::string& hash) const;
    // Puts the notes of a workspace in the place of the present ones, as unsaved.
    void recover(Workspace workspace);

Q_SIGNALS:
    void saved(const QString& file);
    void failed(const QString& message);
    void isOfAnotherTrace(const QString& message); // found after the view was put in place
    void openedReadOnly(const QString& message);

private:
    void apply();
    void show(const WorkspaceView& view);
    void write(const QString& file, const std::string& hash);
    void checkHash();
    void takeFile(const QString& file);
    bool holds(const QString& file); // from now on

    AnalysisSession& m_session;
    TimelineViewModel& m_view;
    std::optional<Workspace> m_waiting;
    QString m_waitingFile, m_waitingTrace;
    Workspace m_workspace; // of the open document: keeps what is not known
    QString m_file, m_trace, m_lockFolder;
    std::unique_ptr<QLockFile> m_lock; // of m_file
    bool m_isReadOnly = false;
    JobSlot m_job; // last: its destructor waits
};

} // namespace lacuna::ui
