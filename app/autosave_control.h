#pragma once
// Keeps what a person made of the open trace safe from a crash: every 30 s, and when the window loses the
// focus, unsaved notes go into one file per trace in the state folder, and are offered once when that trace
// is opened again. The file is removed when the notes are saved or given up.
//
// A file belongs to one running program (a lock beside it says so): what another window has unsaved is
// neither offered nor written to.

#include "app/workspace_control.h"

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace lacuna::ui {

class Banner;

class AutosaveControl : public QObject {
    Q_OBJECT
public:
    static constexpr int kIntervalMs = 30'000;

    // `window` is watched for its focus.
    AutosaveControl(QWidget& window, AnalysisSession& session, WorkspaceControl& workspace, QString folder);
    ~AutosaveControl() override;

    void setInterval(int ms) { m_timer.setInterval(ms); }
    // "Unsaved notes from yesterday 18:42 were recovered." with Keep and Discard; for the window's layout.
    Banner* bar() const { return m_bar; }
    // Writes what is unsaved, if anything is.
    void writeNow();
    // The same when the program has to leave at once: waits for the trace's hash where it is not known yet.
    void writeBeforeLeaving();
    // What is unsaved is given up: its file goes.
    void forget();
    // The file of the open trace; empty: none was written.
    const QString& file() const { return m_file; }

Q_SIGNALS:
    void written();
    void failed(const QString& message);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Kept { // by a program that is gone
        QString file, path;
        Workspace workspace;
    };
    void documentChanged();
    void changed();
    void hashThen(std::function<void()> then);
    std::vector<Kept> keptOf(const Document& document) const;
    void recover();
    bool takeFile(const QString& file);
    bool chooseFile();
    void discard();

    AnalysisSession& m_session;
    WorkspaceControl& m_workspace;
    QString m_folder;
    QTimer m_timer;
    Banner* m_bar;
    std::string m_hash, m_lastText; // of the open trace, of its file
    QString m_file, m_path;         // m_path: of the trace
    std::unique_ptr<QLockFile> m_lock;
    std::optional<Workspace> m_before; // what recovering replaced
    JobSlot m_job;                     // last: its destructor waits
};

// "today 18:42", "yesterday 18:42", "2026-11-28 18:42"
QString recoveredWhen(const QDateTime& when, const QDateTime& now);

} // namespace lacuna::ui
