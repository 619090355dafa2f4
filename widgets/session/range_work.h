#pragma once
// What was expected of a marked range and what came of it, looked for in the background while its page is
// shown, and the figures of an earlier range to compare with: they stay when another trace is opened.

#include "core/analysis/expected_work.h"
#include "core/analysis/fusion_facts.h"
#include "widgets/session/analysis_session.h"
#include "widgets/session/job_slot.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace lacuna::ui {

class JobDetails;

struct FoundRangeWork {
    TimeRange range;
    ExpectedWork work;
    FusionFacts facts;
};

class RangeWork : public QObject {
    Q_OBJECT
public:
    explicit RangeWork(AnalysisSession& session, QObject* parent = nullptr);
    ~RangeWork() override;

    // Once no other range is asked for, which one that is being dragged does all the time. A no-op for the
    // range that is at hand or looked for; changed() tells the end.
    void look(TimeRange range);
    // Null while it is looked for.
    const FoundRangeWork* found(TimeRange range) const;
    // The figures of the range at hand as what others are compared with, and none again.
    void setReference();
    void dropReference();
    bool canSetReference() const { return m_found != nullptr; }
    const std::optional<FusionFacts>& reference() const { return m_reference; }

Q_SIGNALS:
    void changed();

private:
    void start();
    std::shared_ptr<const FoundRangeWork> withOutside(FoundRangeWork found) const;

    AnalysisSession& m_session;
    std::shared_ptr<JobDetails> m_details;
    std::shared_ptr<const HostTree> m_tree; // of the document, once a range was looked at
    std::optional<TimeRange> m_wanted;
    std::shared_ptr<const FoundRangeWork> m_found;
    std::optional<FusionFacts> m_reference;
    QTimer m_soon;
    JobSlot m_slot; // last: its destructor waits for the running job
};

} // namespace lacuna::ui
