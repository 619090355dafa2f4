#include "widgets/session/trace_log.h"

#include "core/base/text_format.h"
#include "widgets/session/note_author.h"
#include "widgets/text.h"

#include <QUndoCommand>

#include <utility>

namespace lacuna::ui {

class EditTraceLog final : public QUndoCommand {
public:
    EditTraceLog(TraceLog& log, std::vector<LogEntry> after, const QString& what)
        : QUndoCommand(what), m_log(log), m_other(std::move(after)) {}
    void redo() override { swap(); }
    void undo() override { swap(); }

private:
    void swap() {
        std::swap(m_log.m_entries, m_other);
        Q_EMIT m_log.changed();
    }
    TraceLog& m_log;
    std::vector<LogEntry> m_other;
};

TraceLog& TraceLog::of(AnalysisSession& session) {
    if (auto* made = session.findChild<TraceLog*>(QString(), Qt::FindDirectChildrenOnly))
        return *made;
    return *new TraceLog(session);
}

TraceLog::TraceLog(AnalysisSession& session) : QObject(&session), m_session(session) {
    connect(&session, &AnalysisSession::documentChanged, this, &TraceLog::documentChanged);
    documentChanged();
}

// A reload of the same file keeps what was said of it.
void TraceLog::documentChanged() {
    const Document* document = m_session.document();
    const QString path = document == nullptr ? QString() : document->path + u'\n' + document->member;
    if (std::exchange(m_path, path) != path && !m_entries.empty())
        adopt({});
}

LogEntry TraceLog::fromSelection() const {
    LogEntry entry;
    sign(entry.author, entry.written);
    const Document* document = m_session.document();
    if (document == nullptr)
        return entry;
    const SelectionModel& selection = m_session.selection();
    if (const GapId gap = selection.gap()) {
        entry.observed = m_session.story(gap).verdict;
        entry.range = document->gaps->gap(gap).range;
    } else if (const EventId event = selection.event()) {
        const Trace& trace = document->trace();
        entry.observed =
            std::string(trace.nameOf(event)) + ", " + formatDuration(trace.events().duration(event));
        entry.range = trace.events().range(event);
    } else {
        entry.range = selection.range();
    }
    return entry;
}

void TraceLog::push(std::vector<LogEntry> after, const QString& what) {
    if (after != m_entries)
        m_session.undoStack().push(new EditTraceLog(*this, std::move(after), what));
}

void TraceLog::add(LogEntry entry) {
    std::vector<LogEntry> after = m_entries;
    after.push_back(std::move(entry));
    push(std::move(after), tr("Add to the log"));
}

void TraceLog::replace(std::size_t index, LogEntry entry, const QString& what) {
    std::vector<LogEntry> after = m_entries;
    after[index] = std::move(entry);
    push(std::move(after), what);
}

void TraceLog::remove(std::size_t index) {
    std::vector<LogEntry> after = m_entries;
    after.erase(after.begin() + static_cast<std::ptrdiff_t>(index));
    push(std::move(after), tr("Remove from the log"));
}

void TraceLog::adopt(std::vector<LogEntry> entries) {
    m_entries = std::move(entries);
    Q_EMIT changed();
}

} // namespace lacuna::ui
