#pragma once
// Findings of the open document, looked for in the background once it is open.

#include "core/findings/finding.h"
#include "widgets/session/analysis_session.h"
#include "widgets/session/job_slot.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <optional>
#include <vector>

namespace lacuna::ui {

struct FoundFindings {
    std::vector<Finding> findings; // in the order of findAll()
    QString window;                // what they are about: "4 steps"
    QString problem;               // of the user's settings
};

class FindingsJob : public QObject {
    Q_OBJECT
public:
    explicit FindingsJob(AnalysisSession& session, QObject* parent = nullptr);
    ~FindingsJob() override;

    // None while they are looked for, and without a document.
    const std::optional<FoundFindings>& found() const { return m_found; }

Q_SIGNALS:
    void changed();

private:
    void forget();
    void start();

    AnalysisSession& m_session;
    QTimer m_soon;
    std::optional<FoundFindings> m_found;
    JobSlot m_slot; // last: its destructor waits for the running job
};

} // namespace lacuna::ui
