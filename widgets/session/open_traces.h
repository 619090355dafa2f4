#pragma once
// The traces of the other tabs of the window, for what looks at several at once: ranks of one run. Who has
// the tabs tells them; a window without tabs has none.

#include "widgets/session/analysis_session.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace lacuna::ui {

struct OpenTrace {
    QString path, member, title; // as in Document; title: as the tab has it
    std::shared_ptr<const Trace> trace;
    friend bool operator==(const OpenTrace&, const OpenTrace&) = default;
};

class OpenTraces : public QObject {
    Q_OBJECT
public:
    // The one of a session, made when it is first asked for; the session owns it and knows nothing of it.
    static OpenTraces& of(AnalysisSession& session);

    const std::vector<OpenTrace>& others() const { return m_others; } // in the order of the tabs
    void setOthers(std::vector<OpenTrace> others);
    // To the tab of that trace.
    void show(const OpenTrace& trace) { Q_EMIT showRequested(trace.path, trace.member); }

Q_SIGNALS:
    void changed();
    void showRequested(const QString& path, const QString& member);

private:
    explicit OpenTraces(AnalysisSession& session);
    std::vector<OpenTrace> m_others;
};

} // namespace lacuna::ui
