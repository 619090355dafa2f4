#include "widgets/steps/strip_cells.h"

#include "core/base/text_format.h"
#include "widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lacuna::ui {

namespace {

using Schedule = ScheduleCell::State;

class StripTexts {
    Q_DECLARE_TR_FUNCTIONS(StepStrip)
};

Schedule stateOf(ScheduleState state) {
    switch (state) {
    case ScheduleState::Skipped:
        return Schedule::Skipped;
    case ScheduleState::Wait:
        return Schedule::Wait;
    case ScheduleState::WarmUp:
        return Schedule::WarmUp;
    case ScheduleState::Active:
        return Schedule::Active;
    case ScheduleState::Outside:
        break;
    }
    return Schedule::Outside;
}

QString titleOf(Schedule state) {
    switch (state) {
    case Schedule::Skipped:
        return text(scheduleTitle(ScheduleState::Skipped));
    case Schedule::Wait:
        return text(scheduleTitle(ScheduleState::Wait));
    case Schedule::WarmUp:
        return text(scheduleTitle(ScheduleState::WarmUp));
    case Schedule::Active:
        return text(scheduleTitle(ScheduleState::Active));
    case Schedule::Outside:
        return text(scheduleTitle(ScheduleState::Outside));
    case Schedule::Recorded:
        return StripTexts::tr("recorded");
    case Schedule::NotRecorded:
        break;
    }
    return StripTexts::tr("not recorded");
}

QString numbersOf(const ScheduleCell& cell) {
    if (cell.isOpenEnd)
        return u"%1+"_s.arg(cell.first);
    return cell.first == cell.last ? QString::number(cell.first) : u"%1–%2"_s.arg(cell.first).arg(cell.last);
}

// How many steps the strip is about.
std::uint64_t stepsShown(const StepFacts& facts) {
    constexpr std::uint64_t kMostCyclesAhead = 3; // of a schedule that goes on, beyond what is recorded
    const std::uint64_t recorded = facts.marks ? facts.marks->last + 1 : 0;
    if (!facts.schedule)
        return recorded;
    const ProfilerSchedule& told = *facts.schedule;
    const std::uint64_t cycles =
        told.repeat == 0 ? 1 : std::min<std::uint64_t>(told.repeat, kMostCyclesAhead);
    return std::max(recorded, told.skipFirst + cycles * told.cycle());
}

void addOpenEnd(const StepFacts& facts, std::uint64_t steps, std::vector<ScheduleCell>& cells) {
    const ProfilerSchedule& told = *facts.schedule;
    ScheduleCell end;
    end.isOpenEnd = true;
    if (!cells.empty() && cells.back().state == Schedule::Outside) {
        end = std::move(cells.back());
        end.isOpenEnd = true;
        cells.pop_back();
    } else {
        end.first = end.last = steps;
        end.state = stateOf(scheduleState(told, steps));
    }
    end.label =
        told.repeat == 0 ? StripTexts::tr("repeats until collection ends")
        : end.state == Schedule::Outside
            ? u"%1 %2"_s.arg(numbersOf(end), titleOf(end.state))
            : StripTexts::tr("%n time(s) in all", nullptr, pluralOf(static_cast<std::uint64_t>(told.repeat)));
    cells.push_back(std::move(end));
}

// The profiler's warm-up is no warm-up of the application: marks of their own.
void addRecorded(const StepFacts& facts, ScheduleCell& cell) {
    if (!facts.marks)
        return;
    const auto& numbers = facts.marks->numbers;
    for (auto at = std::lower_bound(numbers.begin(), numbers.end(), cell.first);
         at != numbers.end() && (cell.isOpenEnd || *at <= cell.last); ++at)
        if (const auto step = facts.stepOfNumber(*at)) {
            if (!cell.step)
                cell.step = step;
            if (facts.times.steps[*step].isWarmUp)
                cell.warmUpMarks.push_back(*at);
        }
}

void explain(const StepFacts& facts, ScheduleCell& cell) {
    if (cell.label.isEmpty())
        cell.label = u"%1 %2"_s.arg(numbersOf(cell), titleOf(cell.state));
    QStringList lines{(cell.first == cell.last && !cell.isOpenEnd ? StripTexts::tr("Step %1: %2")
                                                                  : StripTexts::tr("Steps %1: %2"))
                          .arg(numbersOf(cell), titleOf(cell.state))};
    if (facts.schedule && !cell.isOpenEnd && savesAfter(*facts.schedule, cell.last))
        lines << StripTexts::tr("After step %1 the profiler saves what it has.").arg(cell.last);
    if (!cell.warmUpMarks.empty())
        lines
            << StripTexts::tr(
                   "▲ The application warms up here, by its times: %1 of these steps. That is another thing "
                   "than the profiler's warm-up.")
                   .arg(cell.warmUpMarks.size());
    lines << (facts.schedule
                  ? text(scheduleExplanation(*facts.schedule))
                  : StripTexts::tr("The trace does not record the profiler's schedule; the Steps panel takes "
                                   "it."));
    if (facts.schedule && facts.marks && !agrees(*facts.schedule, *facts.marks))
        lines << StripTexts::tr("The recorded steps are not the active ones of this schedule.");
    cell.tip = lines.join(u'\n');
}

QString startUpTip(const StepFacts& facts) {
    QStringList lines{
        StripTexts::tr("Start-up: %1 before the first measured %2. Left out of statistics and findings "
                       "unless it is the target.")
            .arg(text(formatDuration(facts.startUp->length())), text(facts.times.meaning))};
    QStringList unseen;
    for (std::size_t c = 0; c < findings::kStartUpClasses; ++c) {
        const QString title = text(findings::startUpTitle(static_cast<findings::StartUpClass>(c)));
        if (facts.startUpUses[c].rows == 0)
            unseen << title;
        else
            lines << StripTexts::tr("%1: %2, rows: %3")
                         .arg(title, text(formatDuration({facts.startUpUses[c].ns})))
                         .arg(facts.startUpUses[c].rows);
    }
    if (!unseen.isEmpty())
        lines << StripTexts::tr("No row tells of: %1.").arg(unseen.join(u", "_s));
    return lines.join(u'\n');
}

StepCell::State stateOf(const StepTime& step) {
    return step.isWarmUp    ? StepCell::State::WarmUp
           : step.isUnusual ? StepCell::State::Unusual
                            : StepCell::State::Measured;
}

QString candidateTip(const StepFacts& facts, const StepCell& cell) {
    return StripTexts::tr("Candidate step (unconfirmed): repeat %1 of %2, %3\n%4")
        .arg(cell.number + 1)
        .arg(facts.candidates.front().ranges.size())
        .arg(text(formatDuration(cell.range.length())), candidateQuestion(facts, 0));
}

} // namespace

std::vector<ScheduleCell> scheduleCells(const StepFacts& facts) {
    constexpr std::size_t kMostCells = 64;
    std::vector<ScheduleCell> cells;
    if (!facts.schedule && !facts.marks)
        return cells;
    const std::uint64_t steps = stepsShown(facts);
    const auto runs = facts.schedule ? scheduleRuns(*facts.schedule, steps) : runsByMarks(*facts.marks);
    if (!facts.schedule && runs.size() < 2) // all are recorded
        return cells;
    // Of very many runs those at the end, where the recorded ones are.
    const std::size_t from = runs.size() > kMostCells ? runs.size() - kMostCells : 0;
    for (std::size_t r = from; r < runs.size(); ++r) {
        ScheduleCell cell;
        cell.first = runs[r].first;
        cell.last = runs[r].last;
        cell.state = facts.schedule                           ? stateOf(runs[r].state)
                     : runs[r].state == ScheduleState::Active ? Schedule::Recorded
                                                              : Schedule::NotRecorded;
        cells.push_back(std::move(cell));
    }
    if (facts.schedule)
        addOpenEnd(facts, steps, cells);
    for (ScheduleCell& cell : cells) {
        addRecorded(facts, cell);
        explain(facts, cell);
    }
    return cells;
}

std::vector<StepCell> stepCells(const StepFacts& facts) {
    std::vector<StepCell> cells;
    if (facts.startUp)
        cells.push_back({StepCell::State::StartUp, *facts.startUp, 0});
    for (std::size_t k = 0; k < facts.times.steps.size(); ++k)
        cells.push_back({stateOf(facts.times.steps[k]), facts.times.steps[k].range, k});
    if (facts.times.steps.empty() && !facts.candidates.empty())
        for (std::size_t k = 0; k < facts.candidates.front().ranges.size(); ++k)
            cells.push_back({StepCell::State::Candidate, facts.candidates.front().ranges[k], k});
    return cells;
}

QString stepLabel(const StepFacts& facts, const StepCell& cell) {
    const QString length = text(formatDuration(cell.range.length()));
    switch (cell.state) {
    case StepCell::State::StartUp:
        return StripTexts::tr("start-up %1").arg(length);
    case StepCell::State::WarmUp:
        return StripTexts::tr("warm-up %1").arg(length);
    case StepCell::State::Unusual:
        return StripTexts::tr("unusual %1").arg(length);
    case StepCell::State::Candidate:
        return StripTexts::tr("repeat %1").arg(cell.number + 1);
    case StepCell::State::Measured:
        break;
    }
    return facts.isConfirmedPattern() ? u"%1 %2"_s.arg(text(facts.times.meaning)).arg(cell.number + 1)
                                      : length;
}

QString stepTip(const StepFacts& facts, const StepCell& cell) {
    if (cell.state == StepCell::State::StartUp)
        return startUpTip(facts);
    if (cell.state == StepCell::State::Candidate)
        return candidateTip(facts, cell);
    const StepTime& step = facts.times.steps[cell.number];
    QStringList lines{u"%1: %2"_s.arg(text(stepTitle(*facts.trace, facts.times, cell.number)),
                                      text(formatDuration(step.range.length())))};
    if (cell.state == StepCell::State::WarmUp)
        lines << (facts.times.warmUpsIncluded
                      ? StripTexts::tr("Warm-up of the application, included as set.")
                      : StripTexts::tr("Warm-up of the application, left out of statistics."));
    if (cell.state == StepCell::State::Unusual)
        lines
            << StripTexts::tr(
                   "Unusual: %1 times the median. The application, an initialisation or the profiler may be "
                   "why; the trace does not say which.")
                   .arg(static_cast<double>(step.range.length().v) /
                            static_cast<double>(std::max<std::int64_t>(1, facts.medianNs)),
                        0, 'f', 1);
    lines << StripTexts::tr("GPU busy %1, idle %2, %3 operations")
                 .arg(text(formatDuration({step.busyNs})), text(formatDuration({step.idleNs()})),
                      text(formatCount(step.deviceOps)));
    if (facts.isConfirmedPattern())
        lines << StripTexts::tr("A repeat of a pattern; you said that it is a %1.")
                     .arg(text(facts.times.meaning));
    return lines.join(u'\n');
}

QString candidateQuestion(const StepFacts& facts, std::size_t candidate) {
    const CandidateSteps& one = facts.candidates[candidate];
    return StripTexts::
        tr("%1 similar spans of %2 were found. They may be steps, micro-batches or tokens. What are they?")
            .arg(text(formatCount(one.ranges.size())), text(formatDuration({one.medianNs})));
}

} // namespace lacuna::ui
