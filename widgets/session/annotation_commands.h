#pragma once
// Undoable edits of the callouts: a command holds one edit; redo and undo swap it with its inverse.

#include "core/document/annotations.h"

#include <QString>
#include <QUndoCommand>

namespace lacuna::ui {

class AnalysisSession;

class EditAnnotations final : public QUndoCommand {
public:
    EditAnnotations(AnalysisSession& session, AnnotationEdit edit, const QString& text);
    void redo() override { swap(); }
    void undo() override { swap(); }

private:
    void swap();
    AnalysisSession& m_session;
    AnnotationEdit m_edit;
};

} // namespace lacuna::ui
