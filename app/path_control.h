#pragma once
// The switch that shows the critical path in the timeline. The path is made in the background the first time.

#include <QObject>

namespace lacuna::ui {

class AnalysisSession;
class CommandRegistry;
class TimelineViewModel;

class PathControl : public QObject {
    Q_OBJECT
public:
    // Adds the command "view.criticalPath".
    PathControl(AnalysisSession& session, TimelineViewModel& view, CommandRegistry& commands,
                QObject* parent);
    bool isOn() const { return m_isOn; }

private:
    void toggle();
    void update();

    AnalysisSession& m_session;
    TimelineViewModel& m_view;
    CommandRegistry& m_commands;
    bool m_isOn = false;
};

} // namespace lacuna::ui
