#pragma once
// How the file of a session is read where its user, or the workspace that brings it, asks for another way
// than the usual one (core/import/read_as.h): kept for reloads of that file, forgotten with the next one. One
// of a session, its child.

#include "core/import/read_as.h"
#include "widgets/session/analysis_session.h"

#include <QObject>
#include <QString>

#include <memory>
#include <mutex>

namespace lacuna::ui {

class ReadChoice : public QObject {
    Q_OBJECT
public:
    static ReadChoice& of(AnalysisSession& session);

    // Reads the open file again, so.
    void readAgain(const ReadAs& how);
    // A file that is going to be opened is read so; an empty path: nothing is said of the next one any more.
    void expect(const QString& path, const ReadAs& how);
    // How reloads of the open file read it.
    ReadAs now() const;

    // What loads ask, on their own threads.
    class Asked {
    public:
        ReadAs of(const QString& path) const;

    private:
        friend class ReadChoice;
        struct File {
            QString path;
            ReadAs how;
        };
        mutable std::mutex m_lock;
        File m_open, m_next;
    };
    std::shared_ptr<const Asked> asked() const { return m_asked; }

private:
    explicit ReadChoice(AnalysisSession& session);

    AnalysisSession& m_session;
    std::shared_ptr<Asked> m_asked = std::make_shared<Asked>();
};

} // namespace lacuna::ui
