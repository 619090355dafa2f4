#include "app/path_control.h"

#include "widgets/command/command_registry.h"
#include "widgets/session/replay_results.h"
#include "widgets/text.h"
#include "widgets/timeline/timeline_view_model.h"

namespace lacuna::ui {

PathControl::PathControl(AnalysisSession& session, TimelineViewModel& view, CommandRegistry& commands,
                         QObject* parent)
    : QObject(parent), m_session(session), m_view(view), m_commands(commands),
      m_isOn(view.path() != nullptr) { // in the widgets before these
    commands.add({u"view.criticalPath"_s,
                  tr("Window"),
                  tr("&Critical path"),
                  {Qt::Key_C},
                  [this] { toggle(); },
                  [this] { return m_session.document() != nullptr; },
                  nullptr,
                  false,
                  [this] { return m_isOn; }});
    connect(&session.replay(), &ReplayResults::changed, this, &PathControl::update);
    connect(&session, &AnalysisSession::documentChanged, this, &PathControl::update);
}

void PathControl::toggle() {
    m_isOn = !m_isOn;
    update();
    m_commands.refresh();
}

void PathControl::update() {
    const bool show = m_isOn && m_session.document() != nullptr;
    m_view.setPath(show ? m_session.replay().criticalPath() : nullptr);
}

} // namespace lacuna::ui
