#pragma once
// File > Report: the document of `lacuna report` from the window, written in the background.

#include "app/workspace_control.h"

#include <QObject>

#include <functional>

class QWidget;

namespace lacuna::ui {

class CommandRegistry;

class ReportControl : public QObject {
    Q_OBJECT
public:
    // Registers its command; `say` tells the end in the status line.
    ReportControl(QWidget& window, AnalysisSession& session, WorkspaceControl& workspace,
                  CommandRegistry& commands, std::function<void(const QString&)> say);

    // By the ending of the name: .html, .pdf or .md. written() or failed() tells the end.
    void write(const QString& file);

Q_SIGNALS:
    void written(const QString& file);
    void failed(const QString& message);

private:
    void ask();

    QWidget& m_window;
    AnalysisSession& m_session;
    WorkspaceControl& m_workspace;
    JobSlot m_job; // last: its destructor waits
};

} // namespace lacuna::ui
