#include "widgets/steps/step_study.h"

#include "core/base/lower_median.h"
#include "core/trace/all_devices.h"
#include "widgets/timeline/timeline_view_model.h"

#include <algorithm>
#include <utility>

namespace lacuna::ui {

namespace {

constexpr double kMargin = 0.05; // beside a step that fills the view

std::int64_t lowerMedianOf(const std::vector<StepTime>& steps) {
    std::vector<std::int64_t> lengths;
    lengths.reserve(steps.size());
    for (const StepTime& step : steps)
        lengths.push_back(step.range.length().v);
    return lowerMedian(lengths);
}

} // namespace

std::optional<std::size_t> StepFacts::stepOfNumber(std::uint64_t number) const {
    if (!marks || marks->numbers.size() != times.steps.size() || times.source != "ProfilerStep")
        return std::nullopt;
    const auto at = std::lower_bound(marks->numbers.begin(), marks->numbers.end(), number);
    if (at == marks->numbers.end() || *at != number)
        return std::nullopt;
    return static_cast<std::size_t>(at - marks->numbers.begin());
}

std::optional<std::size_t> StepFacts::stepAt(TimeNs t) const {
    const auto next =
        std::upper_bound(times.steps.begin(), times.steps.end(), t,
                         [](TimeNs time, const StepTime& step) { return time < step.range.begin; });
    for (auto step = next; step != times.steps.begin();)
        if ((--step)->range.contains(t))
            return static_cast<std::size_t>(step - times.steps.begin());
    return std::nullopt;
}

Result<std::shared_ptr<const StepFacts>> findStepFacts(std::shared_ptr<const Trace> trace,
                                                       std::shared_ptr<const AnalysisSettings> settings,
                                                       JobControl& job) {
    auto facts = std::make_shared<StepFacts>();
    facts->trace = std::move(trace);
    facts->settings = std::move(settings);
    auto times = stepTimes(*facts->trace, allDevices(*facts->trace), *facts->settings, job);
    if (!times)
        return times.error();
    facts->times = *std::move(times);
    facts->medianNs = lowerMedianOf(facts->times.steps);
    facts->marks = stepMarks(*facts->trace);
    if (!facts->settings->schedule.empty())
        if (const auto told = parseSchedule(facts->settings->schedule))
            facts->schedule = *told;
    if (facts->times.steps.empty() || facts->isConfirmedPattern()) {
        auto candidates = findCandidateSteps(*facts->trace, facts->settings->thresholds, job);
        if (!candidates)
            return candidates.error();
        facts->candidates = *std::move(candidates);
    }
    if (const auto measured = facts->times.measuredWindow()) {
        const TimeRange region{facts->trace->window().begin, measured->begin};
        if (!region.isEmpty()) {
            facts->startUp = region;
            facts->startUpUses = findings::startUpUses(*facts->trace, region, job);
        }
    }
    if (job.cancelled())
        return cancelledError();
    return std::shared_ptr<const StepFacts>(std::move(facts));
}

StepStudy::StepStudy(TimelineViewModel& view, QObject* parent)
    : QObject(parent), m_view(view), m_settings(SessionSettings::of(view.session())) {
    connect(&view.session(), &AnalysisSession::documentChanged, this, [this] {
        m_facts.reset();
        start();
        Q_EMIT changed();
    });
    connect(&m_settings, &SessionSettings::changed, this, &StepStudy::start);
    connect(&view.session().selection(), &SelectionModel::changed, this, &StepStudy::followSelection);
}

StepStudy::~StepStudy() {
    m_job.cancel();
}

void StepStudy::start() {
    m_job.cancel();
    const Document* document = m_view.session().document();
    if (document == nullptr || document->gaps == nullptr)
        return;
    using Facts = std::shared_ptr<const StepFacts>;
    m_job.start<Facts>([trace = document->loaded.trace, settings = m_settings.values()](
                           JobControl& job) { return findStepFacts(trace, settings, job); },
                       [this](Result<Facts> found) {
                           if (!found)
                               return; // only a cancelled job has none
                           m_facts = *std::move(found);
                           m_current.reset();
                           followSelection();
                           Q_EMIT changed();
                       });
}

void StepStudy::followSelection() {
    const EventId event = m_view.session().selection().event();
    std::optional<std::size_t> now = m_current;
    if (m_facts == nullptr)
        now.reset();
    else if (event)
        now = m_facts->stepAt(m_facts->trace->events().range(event).begin);
    if (std::exchange(m_current, now) != now)
        Q_EMIT currentChanged();
}

void StepStudy::goTo(std::size_t step) {
    if (m_facts == nullptr || step >= m_facts->times.steps.size())
        return;
    const StepTime& wanted = m_facts->times.steps[step];
    if (std::exchange(m_current, step) != step)
        Q_EMIT currentChanged();
    if (wanted.event)
        m_view.goTo(wanted.event, Origin::Table);
    else
        m_view.fit(wanted.range, kMargin);
}

void StepStudy::show(TimeRange range) {
    m_view.fit(range, kMargin);
}

} // namespace lacuna::ui
