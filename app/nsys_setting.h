#pragma once
// Which nsys exports reports (.nsys-rep): the one that the user chose, kept with the window's settings, else
// the one that is found. Tells the session for its next loads, and has the command that asks.

#include "app/window_state.h"
#include "widgets/command/command_registry.h"
#include "widgets/session/analysis_session.h"

#include <QObject>

class QWidget;

namespace lacuna::ui {

class NsysSetting : public QObject {
    Q_OBJECT
public:
    // Owned by `window`; the others must outlive it.
    NsysSetting(AnalysisSession& session, CommandRegistry& commands, const WindowState& state,
                QWidget* window);

private:
    void ask();
    void apply(const QString& program);

    AnalysisSession& m_session;
    const WindowState& m_state;
    QWidget* m_window;
};

} // namespace lacuna::ui
