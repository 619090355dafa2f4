#include "app/workspace_control.h"

#include "app/read_choice.h"
#include "core/document/live_notes.h"
#include "core/import/load_trace.h"
#include "widgets/figure/figure_workspace.h"
#include "widgets/session/session_settings.h"
#include "widgets/session/trace_log.h"
#include "widgets/text.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <map>
#include <utility>

namespace lacuna::ui {

namespace {

bool isNamedWorkspace(const QString& file) {
    return file.endsWith(u".lacuna"_s, Qt::CaseInsensitive);
}

// A file of the trace's name and, where it is known, its size.
bool mayBe(const QString& path, const WorkspaceTrace& trace) {
    const QFileInfo info(path);
    return info.isFile() && (trace.size == 0 || static_cast<std::uint64_t>(info.size()) == trace.size);
}

Result<Workspace> workspaceIn(const QString& file) {
    if (isNamedWorkspace(file))
        return Workspace::read(file.toStdString());
    const auto held = workspaceInPicture(file);
    return held ? Workspace::parse(*held) : Result<Workspace>(held.error());
}

// Of files with the trace's size but another name, the one with its hash; empty: none. Reads them whole,
// which takes a second a gigabyte: only a renamed trace asks for it.
QString byHash(const WorkspaceTrace& trace, const QStringList& places) {
    if (trace.sha256.empty() || trace.size == 0)
        return {};
    for (const QString& place : places) {
        if (!mayBe(place, trace))
            continue;
        JobControl job;
        if (const auto hash = sha256OfFile(place.toStdString(), job); hash && *hash == trace.sha256)
            return place;
    }
    return {};
}

std::optional<GapId> gapOf(const Document& document, const WorkspaceGap& wanted) {
    const auto gaps = document.gaps->gaps();
    for (std::uint32_t i = 0; i < gaps.size(); ++i)
        if (gaps[i].range == wanted.range &&
            document.trace().devices()[gaps[i].device.v].ordinal == wanted.device)
            return GapId{i};
    return std::nullopt;
}

// The first row that does not stand as the view wants it.
const TimelineRow* wronglyFolded(const RowLayout& layout, const WorkspaceView& view) {
    const auto holds = [](const std::vector<std::string>& keys, const std::string& key) {
        return std::binary_search(keys.begin(), keys.end(), key);
    };
    for (const TimelineRow& row : layout.rows())
        if (row.foldable &&
            row.folded != (row.foldsByDefault ? !holds(view.unfolded, row.key) : holds(view.folded, row.key)))
            return &row;
    return nullptr;
}

} // namespace

WorkspaceControl::WorkspaceControl(AnalysisSession& session, TimelineViewModel& view)
    : m_session(session), m_view(view) {
    TraceLog::of(session);
    SessionSettings::of(session); // made before panels ask: it hears of a document before they do
}

bool WorkspaceControl::isWorkspace(const QString& file) {
    if (isNamedWorkspace(file))
        return true;
    constexpr qint64 kHead = 4'096;
    QFile opened(file);
    return file != u"-"_s && QFileInfo(file).isFile() && opened.open(QIODevice::ReadOnly) &&
           isPicture(opened.read(kHead));
}

bool WorkspaceControl::isOfOpenTrace(const QString& file) const {
    const Document* document = m_session.document();
    if (document == nullptr)
        return false;
    const auto workspace = workspaceIn(file);
    if (!workspace)
        return false;
    const TraceFacts& facts = document->trace().facts();
    return workspace->trace.name == facts.fileName &&
           (workspace->trace.size == 0 || workspace->trace.size == facts.fileSize) &&
           workspace->trace.member == document->member.toStdString();
}

Result<WorkspaceControl::Trace> WorkspaceControl::read(const QString& file, const QString& asked,
                                                       const QStringList& others) {
    auto workspace = workspaceIn(file);
    if (!workspace)
        return workspace.error();
    const WorkspaceTrace& trace = workspace->trace;
    const QString name = text(trace.name);
    const QDir folder = QFileInfo(file).absoluteDir();
    QStringList places{asked};
    if (!trace.path.empty())
        places << QDir::cleanPath(folder.absoluteFilePath(text(trace.path)));
    if (!name.isEmpty())
        places << folder.absoluteFilePath(QFileInfo(name).fileName());
    if (const Document* document = m_session.document(); document != nullptr)
        places << document->path;
    places << others;
    const auto wait = [&](const QString& place) {
        m_waiting = std::move(*workspace);
        m_waitingFile = isNamedWorkspace(file) ? file : QString();
        m_waitingTrace = place;
        ReadChoice::of(m_session).expect(place, m_waiting->trace.readAs);
        return Trace{place, text(m_waiting->trace.member)};
    };
    for (const QString& place : places) {
        const bool isNamedSo = QFileInfo(place).fileName() == QFileInfo(name).fileName();
        if (!place.isEmpty() && (place == asked || isNamedSo) && mayBe(place, trace))
            return wait(place);
    }
    QStringList sameFolder;
    for (const QFileInfo& beside : folder.entryInfoList(QDir::Files))
        sameFolder << beside.filePath();
    if (const QString renamed = byHash(trace, places + sameFolder); !renamed.isEmpty())
        return wait(renamed);
    if (name.isEmpty())
        return Error{Errc::Io, "It names no trace.", {}, "Open the trace with --workspace."};
    return Error{Errc::Io,
                 "Its trace " + trace.name + " was not found, or is another file now.",
                 {},
                 "Put the trace beside it, or open the trace first."};
}

void WorkspaceControl::forgetWaiting() {
    m_waiting.reset();
    ReadChoice::of(m_session).expect({}, {});
}

bool WorkspaceControl::documentChanged() {
    const Document* document = m_session.document();
    if (document != nullptr && m_waiting && document->path == m_waitingTrace) {
        apply();
        return true;
    }
    if (document == nullptr || document->path != m_trace) { // a reload keeps the workspace
        m_job.cancel();
        takeFile({});
        m_trace.clear();
        m_workspace = {};
    }
    return false;
}

void WorkspaceControl::apply() {
    const Document* document = m_session.document();
    m_workspace = std::move(*m_waiting);
    m_waiting.reset();
    takeFile(m_waitingFile);
    m_trace = m_waitingTrace;
    m_session.annotations() = m_workspace.annotations();
    renewLiveNotes(m_session.annotations(), document->trace(), *document->gaps);
    m_session.undoStack().clear();
    m_session.notifyAnnotations();
    SessionSettings::of(m_session).adoptOfTrace(m_workspace.settings);
    TraceLog::of(m_session).adopt(m_workspace.log);
    const WorkspaceView view = m_workspace.view;
    m_view.setLanePlan(m_workspace.lanes);
    m_view.setLook(m_workspace.look());
    m_view.restoreAxis(view.timeBase, view.timeZero, view.zoneS);
    std::map<int, TimelineViewModel::Bookmark> bookmarks;
    for (const WorkspaceBookmark& bookmark : m_workspace.bookmarks)
        bookmarks[bookmark.key] = {bookmark.range, bookmark.scrollPx};
    m_view.setBookmarks(std::move(bookmarks));
    std::size_t left = m_view.layout().rows().size(); // each is folded at most once
    for (const TimelineRow* row = wronglyFolded(m_view.layout(), view); row != nullptr && left > 0;
         row = wronglyFolded(m_view.layout(), view), --left)
        m_view.toggleFold(*row);
    if (view.gap)
        if (const auto gap = gapOf(*document, *view.gap))
            m_session.selection().set(*gap, Origin::Session);
    show(view);
    checkHash();
    // The timeline may get its size only now; a view that was moved meanwhile stays.
    const Viewport shown = m_view.viewport();
    QTimer::singleShot(0, this, [this, view, shown] {
        const Viewport now = m_view.viewport();
        if (now.widthPx != shown.widthPx && now.begin == shown.begin && now.nsPerPx == shown.nsPerPx)
            show(view);
    });
}

void WorkspaceControl::show(const WorkspaceView& view) {
    if (view.range)
        m_view.fit(*view.range, 0.0);
    m_view.scrollBy(view.scrollPx - m_view.scrollY());
}

void WorkspaceControl::checkHash() {
    if (m_workspace.trace.sha256.empty())
        return;
    const std::string path = m_session.document()->path.toStdString();
    m_job.start<std::string>([path](JobControl& job) { return sha256OfFile(path, job); },
                             [this](const Result<std::string>& hash) {
                                 if (hash && *hash != m_workspace.trace.sha256)
                                     Q_EMIT isOfAnotherTrace(
                                         tr("The notes were made on another file of this name and size."));
                             });
}

// The workspace of the open document from now on. Held by another window, it can be looked at only.
void WorkspaceControl::takeFile(const QString& file) {
    m_isReadOnly = false;
    m_file = file;
    if (file.isEmpty()) {
        m_lock.reset();
        return;
    }
    m_isReadOnly = !holds(file);
    if (m_isReadOnly)
        Q_EMIT openedReadOnly(
            tr("%1 is open in another window. It can be changed here, but only be saved under another name.")
                .arg(QFileInfo(file).fileName()));
}

bool WorkspaceControl::holds(const QString& file) {
    m_lock.reset();
    if (m_lockFolder.isEmpty() || !QDir().mkpath(m_lockFolder))
        return true; // nobody can be asked
    const QByteArray name =
        QCryptographicHash::hash(QFileInfo(file).absoluteFilePath().toUtf8(), QCryptographicHash::Sha256)
            .toHex();
    auto lock = std::make_unique<QLockFile>(m_lockFolder + u'/' + QString::fromLatin1(name) + u".lock"_s);
    lock->setStaleLockTime(0); // held as long as the program runs, however long
    if (!lock->tryLock(0))
        return lock->error() != QLockFile::LockFailedError;
    m_lock = std::move(lock);
    return true;
}

void WorkspaceControl::save(const QString& file) {
    const Document* document = m_session.document();
    if (document == nullptr)
        return;
    if (m_isReadOnly && QFileInfo(file) == QFileInfo(m_file)) {
        Q_EMIT failed(tr("%1 is open in another window: save under another name.").arg(file));
        return;
    }
    if (document->path == u"-"_s) {
        write(file, {});
        return;
    }
    const std::string path = document->path.toStdString();
    m_job.start<std::string>(
        [path](JobControl& job) { return sha256OfFile(path, job); },
        [this, file](const Result<std::string>& hash) {
            if (hash)
                write(file, *hash);
            else
                Q_EMIT failed(
                    tr("The trace could not be read for its hash: %1").arg(text(hash.error().detail)));
        });
}

Workspace WorkspaceControl::current(const QString& file, const std::string& hash) const {
    const Document& document = *m_session.document();
    const TraceFacts& facts = document.trace().facts();
    Workspace workspace = m_workspace;
    workspace.trace = {facts.fileName,
                       {},
                       document.member.toStdString(),
                       hash,
                       facts.fileSize,
                       readAsOf(document.trace().report())};
    if (document.path != u"-"_s && !file.isEmpty())
        workspace.trace.path = QFileInfo(file)
                                   .absoluteDir()
                                   .relativeFilePath(QFileInfo(document.path).absoluteFilePath())
                                   .toStdString();
    const LayoutOptions& layout = m_view.layoutOptions();
    workspace.view.range = m_view.rangeToFit();
    workspace.view.folded = {layout.folded.begin(), layout.folded.end()};
    workspace.view.unfolded = {layout.unfolded.begin(), layout.unfolded.end()};
    workspace.view.scrollPx = m_view.scrollY();
    workspace.view.colourBy = m_view.look().colourBy;
    workspace.view.fullNames = m_view.look().fullNames;
    workspace.view.timeBase = m_view.axis().base;
    workspace.view.timeZero = m_view.axis().zero;
    workspace.view.zoneS = m_view.axis().zoneS;
    workspace.names = m_view.look().names;
    workspace.lanes = m_view.lanePlan();
    workspace.bookmarks.clear();
    for (const auto& [key, bookmark] : m_view.bookmarks())
        workspace.bookmarks.push_back({key, bookmark.range, bookmark.scrollY});
    workspace.view.gap.reset();
    if (const GapId id = m_session.selection().gap()) {
        const Gap& gap = document.gaps->gap(id);
        workspace.view.gap = WorkspaceGap{document.trace().devices()[gap.device.v].ordinal, gap.range};
    }
    workspace.setAnnotations(m_session.annotations());
    workspace.settings = SessionSettings::of(m_session).ofTrace();
    workspace.log = TraceLog::of(m_session).entries();
    return workspace;
}

void WorkspaceControl::recover(Workspace workspace) {
    m_workspace = std::move(workspace);
    m_trace = m_session.document()->path;
    m_session.annotations() = m_workspace.annotations();
    m_session.undoStack().clear();
    m_session.undoStack().resetClean();
    m_session.notifyAnnotations();
    SessionSettings::of(m_session).adoptOfTrace(m_workspace.settings);
    TraceLog::of(m_session).adopt(m_workspace.log);
}

void WorkspaceControl::write(const QString& file, const std::string& hash) {
    const Document& document = *m_session.document();
    m_workspace = current(file, hash);
    if (const Status written = m_workspace.write(file.toStdString(), document.path.toStdString()); !written) {
        Q_EMIT failed(tr("%1 could not be written: %2 %3")
                          .arg(file, text(written.error().detail), text(written.error().remedy)));
        return;
    }
    if (file != m_file || m_lock == nullptr)
        takeFile(file);
    m_trace = document.path;
    m_session.undoStack().setClean();
    Q_EMIT saved(file);
}

} // namespace lacuna::ui
