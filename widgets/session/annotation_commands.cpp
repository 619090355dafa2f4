#include "widgets/session/annotation_commands.h"

#include "widgets/session/analysis_session.h"

#include <utility>

namespace lacuna::ui {

EditAnnotations::EditAnnotations(AnalysisSession& session, AnnotationEdit edit, const QString& text)
    : QUndoCommand(text), m_session(session), m_edit(std::move(edit)) {}

void EditAnnotations::swap() {
    m_edit = m_session.annotations().apply(m_edit);
    m_session.notifyAnnotations();
}

} // namespace lacuna::ui
