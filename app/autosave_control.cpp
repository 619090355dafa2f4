#include "app/autosave_control.h"

#include "app/read_choice.h"
#include "core/import/load_trace.h"
#include "widgets/states/banner.h"
#include "widgets/text.h"

#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QWidget>

namespace lacuna::ui {

namespace {
constexpr int kMostWindows = 9; // that have unsaved notes on one trace
} // namespace

QString recoveredWhen(const QDateTime& when, const QDateTime& now) {
    const QString time = when.toString(u"HH:mm"_s);
    const qint64 days = when.date().daysTo(now.date());
    if (days == 0)
        return AutosaveControl::tr("today %1").arg(time);
    return days == 1 ? AutosaveControl::tr("yesterday %1").arg(time) : when.toString(u"yyyy-MM-dd HH:mm"_s);
}

AutosaveControl::AutosaveControl(QWidget& window, AnalysisSession& session, WorkspaceControl& workspace,
                                 QString folder)
    : QObject(&window), m_session(session), m_workspace(workspace), m_folder(std::move(folder)),
      m_bar(new Banner) {
    m_bar->setObjectName(u"recoveredBar"_s);
    m_bar->setDismissText(tr("Discard"));
    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &AutosaveControl::writeNow);
    connect(&session, &AnalysisSession::documentChanged, this, &AutosaveControl::documentChanged);
    connect(&session.undoStack(), &QUndoStack::indexChanged, this, &AutosaveControl::changed);
    connect(&workspace, &WorkspaceControl::saved, this, &AutosaveControl::forget);
    connect(m_bar, &Banner::actionClicked, m_bar, &QWidget::hide);
    connect(m_bar, &Banner::dismissed, this, &AutosaveControl::discard);
    window.installEventFilter(this);
    if (const Document* document = session.document()) { // opened before: its unsaved notes are ours
        m_path = document->path;
        changed();
    }
}

AutosaveControl::~AutosaveControl() = default;

bool AutosaveControl::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::WindowDeactivate)
        writeNow();
    return QObject::eventFilter(watched, event);
}

// --- writing

void AutosaveControl::changed() {
    if (m_session.document() == nullptr || m_session.undoStack().isClean())
        return;
    if (!m_timer.isActive())
        m_timer.start();
    if (m_hash.empty() && !m_job.isRunning())
        hashThen([] {}); // known by the time it is needed
}

void AutosaveControl::hashThen(std::function<void()> then) {
    const Document* document = m_session.document();
    if (document == nullptr || document->path == u"-")
        return;
    m_job.start<std::string>(
        [path = document->path.toStdString()](JobControl& job) { return sha256OfFile(path, job); },
        [this, then = std::move(then)](const Result<std::string>& hash) {
            if (!hash)
                return; // the trace is gone: its notes cannot be told from others'
            m_hash = *hash;
            then();
        });
}

void AutosaveControl::writeNow() {
    if (m_session.document() == nullptr || m_session.undoStack().isClean() || m_hash.empty() || !chooseFile())
        return;
    const Workspace workspace = m_workspace.current(m_file, m_hash);
    std::string now = workspace.text();
    if (now == m_lastText)
        return;
    if (const Status done = workspace.write(m_file.toStdString(), m_path.toStdString()); !done) {
        Q_EMIT failed(tr("Unsaved notes could not be kept for a crash: %1").arg(text(done.error().detail)));
        return;
    }
    m_lastText = std::move(now);
    Q_EMIT written();
}

void AutosaveControl::writeBeforeLeaving() {
    const Document* document = m_session.document();
    if (document == nullptr || m_session.undoStack().isClean() || document->path == u"-"_s)
        return;
    if (m_hash.empty()) {
        m_job.cancel();
        JobControl job;
        if (const auto hash = sha256OfFile(document->path.toStdString(), job))
            m_hash = *hash;
    }
    writeNow();
}

bool AutosaveControl::takeFile(const QString& file) {
    auto lock = std::make_unique<QLockFile>(file + u".lock"_s);
    lock->setStaleLockTime(0); // held as long as the program runs, however long
    if (!lock->tryLock(0))
        return false;
    m_lock = std::move(lock);
    m_file = file;
    return true;
}

bool AutosaveControl::chooseFile() {
    if (!m_file.isEmpty())
        return true;
    if (!QDir().mkpath(m_folder))
        return false;
    const QString name = m_folder + u'/' + QString::fromStdString(m_hash);
    for (int n = 1; n <= kMostWindows; ++n)
        if (takeFile(name + (n == 1 ? QString() : u'-' + QString::number(n)) + u".lacuna"_s))
            return true;
    return false;
}

void AutosaveControl::forget() {
    m_timer.stop();
    m_bar->hide();
    m_lastText.clear();
    m_before.reset();
    if (!m_file.isEmpty())
        QFile::remove(m_file);
    m_file.clear();
    m_lock.reset();
}

// --- recovering

// The person has agreed to lose what was unsaved of the document before, or it was saved.
void AutosaveControl::documentChanged() {
    const Document* document = m_session.document();
    const QString path = document == nullptr ? QString() : document->path;
    m_job.cancel();
    m_hash.clear(); // of a reload too: the file may be another one now
    if (path == m_path && !m_session.undoStack().isClean()) {
        changed();
        return;
    }
    forget();
    m_path = path;
    if (document != nullptr && !keptOf(*document).empty())
        hashThen([this] { recover(); });
}

// Files of this trace by name and size: only then the trace is read for its hash.
std::vector<AutosaveControl::Kept> AutosaveControl::keptOf(const Document& document) const {
    std::vector<Kept> kept;
    const TraceFacts& facts = document.trace().facts();
    for (const QFileInfo& info : QDir(m_folder).entryInfoList({u"*.lacuna"_s}, QDir::Files, QDir::Time)) {
        auto workspace = Workspace::read(info.filePath().toStdString());
        if (workspace && workspace->trace.name == facts.fileName && workspace->trace.size == facts.fileSize)
            kept.push_back({info.filePath(), document.path, std::move(*workspace)});
    }
    return kept;
}

void AutosaveControl::recover() {
    for (Kept& kept : keptOf(*m_session.document())) {
        if (kept.workspace.trace.sha256 != m_hash)
            continue;
        if (auto& choice = ReadChoice::of(m_session); choice.now() != kept.workspace.trace.readAs) {
            choice.readAgain(kept.workspace.trace.readAs); // recovered when it is open so
            return;
        }
        if (!takeFile(kept.file))
            continue;
        const QDateTime when = QFileInfo(kept.file).lastModified();
        m_before = m_workspace.current({}, m_hash);
        m_lastText = kept.workspace.text();
        m_workspace.recover(std::move(kept.workspace));
        m_bar->showMessage(tr("Unsaved notes from %1 were recovered.")
                               .arg(recoveredWhen(when, QDateTime::currentDateTime())),
                           {}, tr("Keep"));
        m_timer.start();
        return;
    }
}

void AutosaveControl::discard() {
    if (!m_before)
        return;
    m_workspace.recover(std::move(*m_before));
    m_session.undoStack().setClean(); // as it was opened; clear() leaves an empty stack as it is
    forget();
}

} // namespace lacuna::ui
