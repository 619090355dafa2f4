#include "widgets/session/open_traces.h"

#include <utility>

namespace lacuna::ui {

OpenTraces::OpenTraces(AnalysisSession& session) : QObject(&session) {}

OpenTraces& OpenTraces::of(AnalysisSession& session) {
    auto* found = session.findChild<OpenTraces*>(QString(), Qt::FindDirectChildrenOnly);
    return found != nullptr ? *found : *new OpenTraces(session); // owned by the session
}

void OpenTraces::setOthers(std::vector<OpenTrace> others) {
    if (others == m_others)
        return;
    m_others = std::move(others);
    Q_EMIT changed();
}

} // namespace lacuna::ui
