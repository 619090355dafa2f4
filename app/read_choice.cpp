#include "app/read_choice.h"

namespace lacuna::ui {

ReadAs ReadChoice::Asked::of(const QString& path) const {
    const std::lock_guard hold(m_lock);
    return path == m_path ? m_how : ReadAs{};
}

void ReadChoice::Asked::set(const QString& path, const ReadAs& how) {
    const std::lock_guard hold(m_lock);
    m_path = path;
    m_how = how;
}

ReadChoice& ReadChoice::of(AnalysisSession& session) {
    auto* choice = session.findChild<ReadChoice*>(QString(), Qt::FindDirectChildrenOnly);
    return choice != nullptr ? *choice : *new ReadChoice(session);
}

ReadChoice::ReadChoice(AnalysisSession& session) : QObject(&session), m_session(session) {
    connect(&session, &AnalysisSession::documentChanged, this, [this] {
        const Document* document = m_session.document();
        if (document != nullptr && m_asked->of(document->path) == ReadAs{})
            m_asked->set({}, {});
    });
}

void ReadChoice::readAgain(const ReadAs& how) {
    const Document* document = m_session.document();
    if (document == nullptr)
        return;
    m_asked->set(document->path, how);
    m_session.reload();
}

} // namespace lacuna::ui
