#pragma once
// The steps of the open trace, for the strip above the lanes and the Steps panel: computed in the background
// once a trace is open and again when settings change. And which of them is looked at.

#include "core/analysis/step_marks.h"
#include "core/analysis/step_times.h"
#include "core/findings/start_up_classes.h"
#include "widgets/session/job_slot.h"
#include "widgets/session/session_settings.h"

#include <QObject>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace lacuna::ui {

class TimelineViewModel;

struct StepFacts {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const AnalysisSettings> settings;
    StepTimes times;           // of the whole trace, all GPUs
    std::int64_t medianNs = 0; // lower one of all steps, that unusual ones are told by
    std::optional<StepMarks> marks;
    std::optional<ProfilerSchedule> schedule; // as told
    // Looked for where nothing marks steps, and while one of them is confirmed.
    std::vector<CandidateSteps> candidates;
    std::optional<TimeRange> startUp; // what lies before the first measured step
    std::array<findings::StartUpUse, findings::kStartUpClasses> startUpUses{};

    // The step of a number of ProfilerStep; none where the steps are others.
    std::optional<std::size_t> stepOfNumber(std::uint64_t number) const;
    // The step that holds a time; of several the last that began.
    std::optional<std::size_t> stepAt(TimeNs t) const;
    bool isConfirmedPattern() const { return times.source == "pattern"; }
};

// Errors: Cancelled.
Result<std::shared_ptr<const StepFacts>> findStepFacts(std::shared_ptr<const Trace> trace,
                                                       std::shared_ptr<const AnalysisSettings> settings,
                                                       JobControl& job);

class StepStudy : public QObject {
    Q_OBJECT
public:
    explicit StepStudy(TimelineViewModel& view, QObject* parent = nullptr);
    ~StepStudy() override;

    // Null while they are computed, and without a document.
    const StepFacts* facts() const { return m_facts.get(); }
    SessionSettings& settings() const { return m_settings; }
    TimelineViewModel& view() const { return m_view; }
    // The step that is looked at; none.
    std::optional<std::size_t> current() const { return m_current; }
    // Looks at it in the timeline: selects its mark, or fits its time.
    void goTo(std::size_t step);
    // Fits a time that is no step: the start-up, a candidate.
    void show(TimeRange range);

Q_SIGNALS:
    void changed();        // facts() are there, or gone
    void currentChanged(); // current()

private:
    void start();
    void followSelection();

    TimelineViewModel& m_view;
    SessionSettings& m_settings;
    std::shared_ptr<const StepFacts> m_facts;
    std::optional<std::size_t> m_current;
    JobSlot m_job; // last: its destructor waits
};

} // namespace lacuna::ui
