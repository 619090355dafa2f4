#pragma once
// The replay of the open document: critical path and what-if, made in the background when somebody asks for
// the first time. Everything is dropped with the document.

#include "core/analysis/critical_path.h"
#include "core/analysis/what_if.h"
#include "widgets/session/job_slot.h"

#include <QObject>

#include <memory>
#include <unordered_map>
#include <vector>

namespace lacuna::ui {

class AnalysisSession;

class ReplayResults : public QObject {
    Q_OBJECT
public:
    explicit ReplayResults(AnalysisSession& session);

    // Null while it is being made; changed() tells when it is there.
    std::shared_ptr<const CriticalPath> criticalPath();

    struct Saving {
        bool isReady = false;                     // false: being worked out; changed() tells
        const WhatIfQuestion* question = nullptr; // null when ready: nothing recorded could be removed
        WhatIfAnswer answer;
    };
    // What removing the call or range saves that the gap is blamed on.
    Saving savingOf(GapId gap);
    // What a saving's question takes away.
    std::vector<EventId> rowsOf(const WhatIfQuestion& question) const {
        return m_results.whatIf->rowsOf(question);
    }

    void stopJobs() {
        m_making.cancel();
        m_asking.cancel();
        m_asked = nullptr;
    }

Q_SIGNALS:
    void changed();

private:
    struct Results {
        std::shared_ptr<const WhatIf> whatIf;
        std::shared_ptr<const CriticalPath> path;
    };
    void reset();
    bool want(); // false: not there yet
    void ask(const WhatIfQuestion* question);

    AnalysisSession& m_session;
    Results m_results;
    bool m_hasFailed = false;
    std::unordered_map<const WhatIfQuestion*, WhatIfAnswer> m_answers;
    const WhatIfQuestion* m_asked = nullptr;
    JobSlot m_making, m_asking; // last: their destructors wait
};

} // namespace lacuna::ui
