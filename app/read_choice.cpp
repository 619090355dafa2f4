#include "app/read_choice.h"

namespace lacuna::ui {

ReadAs ReadChoice::Asked::of(const QString& path) const {
    const std::lock_guard hold(m_lock);
    return path == m_next.path ? m_next.how : path == m_open.path ? m_open.how : ReadAs{};
}

ReadChoice& ReadChoice::of(AnalysisSession& session) {
    auto* choice = session.findChild<ReadChoice*>(QString(), Qt::FindDirectChildrenOnly);
    return choice != nullptr ? *choice : *new ReadChoice(session);
}

ReadChoice::ReadChoice(AnalysisSession& session) : QObject(&session), m_session(session) {
    connect(&session, &AnalysisSession::documentChanged, this, [this] {
        const Document* document = m_session.document();
        if (document == nullptr)
            return;
        const ReadAs how = m_asked->of(document->path);
        const std::lock_guard hold(m_asked->m_lock);
        m_asked->m_open = {document->path, how};
        m_asked->m_next = {};
    });
}

void ReadChoice::readAgain(const ReadAs& how) {
    const Document* document = m_session.document();
    if (document == nullptr)
        return;
    {
        const std::lock_guard hold(m_asked->m_lock);
        m_asked->m_open = {document->path, how};
    }
    m_session.reload();
}

void ReadChoice::expect(const QString& path, const ReadAs& how) {
    const std::lock_guard hold(m_asked->m_lock);
    m_asked->m_next = {path, how};
}

ReadAs ReadChoice::now() const {
    const Document* document = m_session.document();
    return document != nullptr ? m_asked->of(document->path) : ReadAs{};
}

} // namespace lacuna::ui
