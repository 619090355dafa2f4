#pragma once
// What a person has open in one tab: the trace with selection, notes and undo, its view and history, its
// workspace, what is searched for. It outlives the widgets that show it, so that they can be made anew
// (another text size) with nothing lost.

#include "app/workspace_control.h"
#include "widgets/search/search_session.h"
#include "widgets/session/analysis_session.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QMap>
#include <QVariantMap>

namespace lacuna::ui {

struct OpenWork {
    AnalysisSession session;
    TimelineViewModel view{session};
    WorkspaceControl workspace{session, view};
    SearchSession search{session, view};
    // A trace that was being read when the widgets went; it is opened again. Empty: none.
    QString interrupted, interruptedMember;
    QMap<QString, QVariantMap> panels; // Panel::kept() by id, of the widgets that went
    bool hasKernelPage = false;
    QString shownPanel; // id of the one below; empty: the first
};

} // namespace lacuna::ui
