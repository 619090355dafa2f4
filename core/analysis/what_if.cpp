#include "core/analysis/what_if.h"

#include "core/analysis/what_if_questions.h"
#include "core/trace/union_of.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace lacuna {

namespace {

constexpr std::array<std::string_view, kWhatIfKinds> kWhatIfNames{
    "remove_wait", "remove_read", "remove_host_time", "remove_copy", "pin_copy", "remove_launch_latency"};

} // namespace

std::string_view whatIfName(WhatIfKind kind) {
    return kWhatIfNames[static_cast<std::size_t>(kind)];
}

Result<std::shared_ptr<const WhatIf>> WhatIf::build(std::shared_ptr<const GapAnalysis> gaps,
                                                    std::shared_ptr<const ReplayModel> model,
                                                    const WhatIfOptions& options, JobControl& job) {
    auto changes = ReplayChanges::build(*model, job);
    if (!changes)
        return changes.error();
    std::shared_ptr<WhatIf> whatIf(new WhatIf);
    whatIf->m_gaps = std::move(gaps);
    whatIf->m_model = std::move(model);
    whatIf->m_changes = std::move(*changes);
    whatIf->m_options = options;
    auto questions = whatIfQuestions(*whatIf->m_model, *whatIf->m_changes, job);
    if (!questions)
        return questions.error();
    whatIf->m_questions = std::move(*questions);
    RowPoll poll(job);
    if (!whatIf->numberQuestions(poll))
        return cancelledError();
    return std::shared_ptr<const WhatIf>(std::move(whatIf));
}

bool WhatIf::numberQuestions(RowPoll& poll) {
    const auto waits = m_model->waits();
    // Of a wait that is part of a read the read is asked: later entries of the list win.
    for (std::uint32_t i = 0; i < m_questions.size(); ++i) {
        const WhatIfQuestion& question = m_questions[i];
        if (question.kind == WhatIfKind::RemoveWait || question.kind == WhatIfKind::RemoveRead)
            for (const std::uint32_t wait : question.waits) {
                m_questionOf.add(waits[wait].event, i);
                if (!poll.tick())
                    return false;
            }
        else if (question.kind == WhatIfKind::RemoveHostTime)
            for (const EventId row : question.rows) {
                m_questionOf.add(row, i);
                if (!poll.tick())
                    return false;
            }
    }
    return m_questionOf.finish(poll);
}

const WhatIfQuestion* WhatIf::questionFor(const Gap& gap) const {
    const auto find = [&](EventId event) -> const WhatIfQuestion* {
        const auto number = m_questionOf.find(event);
        return number ? &m_questions[*number] : nullptr;
    };
    if (const WhatIfQuestion* question = find(gap.drainedBy))
        return question;
    const HostTree& tree = m_model->index().tree();
    const EventId holder = gap.blockingCall() ? gap.blockingCall() : gap.heldBy;
    std::uint32_t levels = 0;
    for (HostRow row = holder ? tree.find(holder) : HostRow{}; row && levels < HostTree::kLevelsLookedAt;
         row = tree.parent(row), ++levels)
        if (const WhatIfQuestion* question = find(tree.event(row)))
            return question;
    return nullptr;
}

std::vector<EventId> WhatIf::rowsOf(const WhatIfQuestion& question) const {
    std::vector<EventId> rows;
    rows.reserve(question.times());
    for (const std::uint32_t wait : question.waits)
        rows.push_back(m_model->waits()[wait].event);
    for (const std::uint32_t op : question.ops)
        rows.push_back(m_model->ops()[op].event);
    rows.insert(rows.end(), question.rows.begin(), question.rows.end());
    return rows;
}

double WhatIf::pinnedBandwidth() const {
    return m_options.pinnedBytesPerSecond > 0 ? m_options.pinnedBytesPerSecond
                                              : m_changes->pinnedBandwidth(CopyKind::HtoD);
}

ReplayChange WhatIf::changeOf(const WhatIfQuestion& question, const JobControl& job) const {
    switch (question.kind) {
    case WhatIfKind::RemoveWait:
        return m_changes->withoutWaits(question.waits, job);
    case WhatIfKind::RemoveRead:
        return m_changes->withoutReads(question.waits, job);
    case WhatIfKind::RemoveHostTime:
        return question.isRange ? m_changes->withoutHostTime(question.rows, job)
                                : m_changes->withoutCalls(question.rows, job);
    case WhatIfKind::RemoveCopy:
        return m_changes->withoutCopies(question.ops, job);
    case WhatIfKind::PinCopy:
        return m_changes->withPinned(question.ops, m_options.pinnedBytesPerSecond, job);
    case WhatIfKind::RemoveLaunchLatency:
        return m_changes->withoutLaunchLatency();
    }
    return {};
}

// Gaps of a device follow one another in time, and so does removed host time.
bool WhatIf::addIdle(const ReplayChange& change, WhatIfAnswer& answer, RowPoll& poll) const {
    std::vector<IntervalSet> removed;
    removed.reserve(change.hostTime.size());
    for (const std::vector<TimeRange>& ranges : change.hostTime) {
        auto united = unionOf(ranges, poll);
        if (!united)
            return false;
        removed.push_back(*std::move(united));
    }
    for (const Gap& gap : m_gaps->gaps()) {
        if (!poll.tick())
            return false;
        if (!gap.thread)
            continue;
        const std::uint32_t wait = m_changes->waitOf(gap.drainedBy);
        const bool isDrained = wait != kNoReplayItem && change.waits[wait] != ReplayChange::Wait::Stays;
        // The sync part lies over the first ns of the gap, the host's pieces behind it.
        const std::int64_t syncPart = isDrained ? gap.syncPartNs : 0;
        const TimeRange host{gap.range.begin + DurationNs{syncPart},
                             gap.range.begin + DurationNs{gap.beforeNs + gap.insideNs}};
        const std::int64_t pieces = removed[m_model->hostOf(gap.thread)].measureIn(host).v;
        if (!isDrained && pieces == 0)
            continue;
        answer.attributedNs += gap.length().v;
        answer.boundNs += syncPart + pieces;
    }
    // Copies also free the device; those of a read come along.
    for (const auto& [op, fate] : change.ops) {
        if (!poll.tick())
            return false;
        const std::int64_t duration = m_model->trace().events().duration(m_model->ops()[op].event).v;
        answer.attributedNs += duration;
        answer.boundNs += fate.isGone ? duration : duration - fate.durationNs.value_or(duration);
    }
    return true;
}

// What a launch into an empty queue took beyond the median, inside its gap.
bool WhatIf::addLatency(WhatIfAnswer& answer, RowPoll& poll) const {
    for (const Gap& gap : m_gaps->gaps()) {
        if (!poll.tick())
            return false;
        if (!gap.launch || gap.sameLaunch || gap.insideNs + gap.afterNs == 0)
            continue;
        const std::uint32_t op = m_model->numberOf(gap.next);
        if (op == kNoReplayItem || m_model->ops()[op].isQueued)
            continue;
        const std::int64_t beyond = m_model->ops()[op].lambdaNs - m_model->lambda50Ns();
        if (beyond <= 0)
            continue;
        answer.attributedNs += gap.length().v;
        answer.boundNs += std::min(beyond, gap.insideNs + gap.afterNs);
    }
    return true;
}

Result<WhatIfAnswer> WhatIf::answer(const WhatIfQuestion& question, JobControl& job) const {
    auto answer = answerTogether(std::array{&question}, job);
    if (answer)
        answer->replayNs = std::min(answer->replayNs, answer->attributedNs);
    return answer;
}

Result<WhatIfAnswer> WhatIf::answerTogether(std::span<const WhatIfQuestion* const> questions,
                                            JobControl& job) const {
    ReplayChange change = changeOf(*questions.front(), job);
    for (const WhatIfQuestion* question : questions.subspan(1))
        change.join(changeOf(*question, job), job);
    if (job.cancelled())
        return cancelledError();
    const auto result = replay(*m_model, change, job);
    if (!result)
        return result.error();
    WhatIfAnswer answer;
    answer.replayNs = answer.modelNs = result->savedNs();
    answer.stepPeriod = result->stepPeriod;
    RowPoll poll(job);
    if (!addIdle(change, answer, poll) || (change.launchLatency && !addLatency(answer, poll)) ||
        job.cancelled())
        return cancelledError();
    return answer;
}

namespace {

// What of the question begins in the window; nothing: not asked.
WhatIfQuestion within(const ReplayModel& model, WhatIfQuestion question, TimeRange window) {
    const EventTable& events = model.trace().events();
    const auto isOutside = [&](TimeNs begin) { return !window.contains(begin); };
    std::erase_if(question.waits,
                  [&](std::uint32_t wait) { return isOutside(model.waits()[wait].range.begin); });
    std::erase_if(question.ops,
                  [&](std::uint32_t op) { return isOutside({events.beginNs[model.ops()[op].event.v]}); });
    std::erase_if(question.rows, [&](EventId row) { return isOutside({events.beginNs[row.v]}); });
    return question;
}

bool isSelected(const WhatIfQuestion& question, const std::vector<std::string>& texts) {
    return texts.empty() || std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
               return question.where.find(text) != std::string::npos;
           });
}

} // namespace

Result<WhatIfTable> whatIfTable(const WhatIf& whatIf, const WhatIfSelection& selection, JobControl& job) {
    WhatIfTable table;
    std::array<std::size_t, kWhatIfKinds> asked{};
    for (const WhatIfQuestion& whole : whatIf.questions()) {
        if (!isSelected(whole, selection.texts))
            continue;
        WhatIfQuestion question = selection.window ? within(whatIf.model(), whole, *selection.window) : whole;
        if (question.times() == 0 && (selection.window || whole.kind != WhatIfKind::RemoveLaunchLatency))
            continue;
        if (asked[static_cast<std::size_t>(question.kind)]++ >= selection.perKind) {
            ++table.notAsked;
            continue;
        }
        const auto answer = whatIf.answer(question, job);
        if (!answer)
            return answer.error();
        table.rows.push_back({std::move(question), *answer});
    }
    std::vector<const WhatIfQuestion*> joined;
    for (const WhatIfRow& row : table.rows)
        if (row.question.kind != WhatIfKind::RemoveCopy)
            joined.push_back(&row.question);
    if (selection.together && !joined.empty()) {
        const auto answer = whatIf.answerTogether(joined, job);
        if (!answer)
            return answer.error();
        table.together = *answer;
    }
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const WhatIfRow& a, const WhatIfRow& b) {
        return std::tie(a.answer.replayNs, a.answer.boundNs, a.answer.attributedNs) >
               std::tie(b.answer.replayNs, b.answer.boundNs, b.answer.attributedNs);
    });
    return table;
}

} // namespace lacuna
