#pragma once
// Watches the file of the open trace: what was read is told to be of another file than the one on disk. The
// trace that is open stays as it is until somebody reloads it.

#include "widgets/session/analysis_session.h"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <functional>

namespace lacuna::ui {

class Banner;

class ChangeWatch : public QObject {
    Q_OBJECT
public:
    // `reload`: what the button does.
    ChangeWatch(AnalysisSession& session, std::function<void()> reload, QObject* parent = nullptr);
    // "The trace changed on disk since it was read." with Reload and Keep; for the window's layout.
    Banner* bar() const { return m_bar; }

private:
    struct Stamp {
        qint64 size = -1; // -1: there is no such file
        QDateTime modified;
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    Stamp stampNow() const;
    void documentChanged();
    void look();

    AnalysisSession& m_session;
    QString m_path; // empty: nothing is watched
    Stamp m_known;
    QFileSystemWatcher m_watcher;
    QTimer m_soon; // a file that is being written settles first
    Banner* m_bar;
};

} // namespace lacuna::ui
