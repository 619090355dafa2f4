#pragma once
// The investigation log of the open trace: every change is a step of undo, and the log lives in the
// workspace.

#include "core/document/log_entry.h"
#include "widgets/session/analysis_session.h"

#include <QObject>

#include <cstddef>
#include <vector>

namespace lacuna::ui {

class TraceLog : public QObject {
    Q_OBJECT
public:
    // The one of a session, made when it is first asked for; the session owns it and knows nothing of it.
    static TraceLog& of(AnalysisSession& session);

    const std::vector<LogEntry>& entries() const { return m_entries; }
    // About what is selected: the verdict of a gap, an event, a range. Signed; not yet in the log.
    LogEntry fromSelection() const;
    // Steps of the undo stack; `index` below the number of entries.
    void add(LogEntry entry);
    void replace(std::size_t index, LogEntry entry, const QString& what);
    void remove(std::size_t index);
    // In place of all, without undo: from a workspace.
    void adopt(std::vector<LogEntry> entries);

Q_SIGNALS:
    void changed();

private:
    friend class EditTraceLog;
    explicit TraceLog(AnalysisSession& session);
    void documentChanged();
    void push(std::vector<LogEntry> after, const QString& what);

    AnalysisSession& m_session;
    QString m_path; // of the trace that it is about
    std::vector<LogEntry> m_entries;
};

} // namespace lacuna::ui
