#include "app/change_watch.h"

#include "widgets/states/banner.h"
#include "widgets/text.h"

#include <QFileInfo>
#include <QGuiApplication>

#include <utility>

namespace lacuna::ui {

namespace {
constexpr int kSettleChangeMs = 500;
} // namespace

ChangeWatch::ChangeWatch(AnalysisSession& session, std::function<void()> reload, QObject* parent)
    : QObject(parent), m_session(session), m_bar(new Banner) {
    m_bar->setObjectName(u"changedBar"_s);
    m_bar->setDismissText(tr("Keep"));
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSettleChangeMs);
    connect(&m_soon, &QTimer::timeout, this, &ChangeWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_soon, qOverload<>(&QTimer::start));
    // Folders of other machines tell nothing: then it is seen when somebody comes back to the window.
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive)
            look();
    });
    connect(&session, &AnalysisSession::documentChanged, this, &ChangeWatch::documentChanged);
    connect(m_bar, &Banner::actionClicked, this, [reload = std::move(reload)] { reload(); });
    connect(m_bar, &Banner::dismissed, this, [this] { m_known = stampNow(); });
    documentChanged();
}

ChangeWatch::Stamp ChangeWatch::stampNow() const {
    const QFileInfo file(m_path);
    return file.exists() ? Stamp{file.size(), file.lastModified()} : Stamp();
}

void ChangeWatch::documentChanged() {
    m_bar->hide();
    m_soon.stop();
    if (const QStringList watched = m_watcher.files(); !watched.isEmpty())
        m_watcher.removePaths(watched);
    const Document* document = m_session.document();
    m_path = document == nullptr || document->path == u"-"_s ? QString() : document->path;
    if (m_path.isEmpty())
        return;
    m_known = stampNow();
    m_watcher.addPath(m_path);
}

void ChangeWatch::look() {
    if (m_path.isEmpty())
        return;
    const Stamp now = stampNow();
    if (now.size >= 0 && !m_watcher.files().contains(m_path)) // another file has taken its place
        m_watcher.addPath(m_path);
    if (now.size >= 0 && now != m_known)
        m_bar->showMessage(tr("The trace changed on disk since it was read."), {}, tr("Reload"));
}

} // namespace lacuna::ui
