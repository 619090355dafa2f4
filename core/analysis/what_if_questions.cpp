#include "core/analysis/what_if_questions.h"

#include "core/trace/row_poll.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lacuna {

using namespace gaps;

namespace {

// Of several names that differ in numbers only the one without them is shown.
class RangeGroups {
public:
    explicit RangeGroups(const Trace& trace) : m_trace(trace) {}
    void add(EventId row) {
        const StringId name = m_trace.events().name[row.v];
        std::string& key = m_keys[name.v];
        if (key.empty())
            key = withoutNumbers(m_trace.strings().view(name));
        const auto [at, fresh] = m_questions.try_emplace(key);
        WhatIfQuestion& question = at->second;
        if (fresh) {
            question.kind = WhatIfKind::RemoveHostTime;
            question.isRange = true;
            question.where = m_trace.strings().view(name);
        } else if (question.where != m_trace.strings().view(name)) {
            question.where = key;
        }
        question.rows.push_back(row);
        question.timeNs = saturatingAdd(question.timeNs, m_trace.events().duration(row).v);
    }
    void moveTo(std::vector<WhatIfQuestion>& questions) {
        for (auto& [key, question] : m_questions)
            questions.push_back(std::move(question));
    }

private:
    const Trace& m_trace;
    std::map<std::uint32_t, std::string> m_keys; // by name
    std::map<std::string, WhatIfQuestion> m_questions;
};

class QuestionFinder {
public:
    QuestionFinder(const ReplayModel& model, const ReplayChanges& changes, JobControl& job)
        : m_model(model), m_changes(changes), m_index(model.index()), m_events(model.trace().events()),
          m_sites(m_index), m_poll(job) {}

    bool run(std::vector<WhatIfQuestion>& questions) {
        if (!addWaits() || !addCopies() || !addCalls() || !addRanges())
            return false;
        for (auto& [key, question] : m_bySite) {
            question.where = m_sites.describe(key.second, GapCause::HostWork);
            questions.push_back(std::move(question));
        }
        m_ranges.moveTo(questions);
        WhatIfQuestion latency;
        latency.kind = WhatIfKind::RemoveLaunchLatency;
        latency.where = "launches into an empty queue";
        questions.push_back(std::move(latency));
        const auto firstOf = [&](const WhatIfQuestion& q) { return firstTime(q); };
        std::stable_sort(
            questions.begin(), questions.end(), [&](const WhatIfQuestion& a, const WhatIfQuestion& b) {
                return std::tuple(a.kind, -a.timeNs, firstOf(a)) < std::tuple(b.kind, -b.timeNs, firstOf(b));
            });
        return true;
    }

private:
    WhatIfQuestion& at(WhatIfKind kind, HostRow row) {
        WhatIfQuestion& question = m_bySite[{kind, m_sites.siteOf(row)}];
        question.kind = kind;
        return question;
    }
    std::int64_t firstTime(const WhatIfQuestion& q) const {
        if (!q.waits.empty())
            return m_model.waits()[q.waits.front()].range.begin.v;
        if (!q.ops.empty())
            return m_events.beginNs[m_model.ops()[q.ops.front()].event.v];
        return q.rows.empty() ? 0 : m_events.beginNs[q.rows.front().v];
    }

    bool addWaits() {
        for (std::uint32_t i = 0; i < m_model.waits().size(); ++i) {
            const ReplayWait& wait = m_model.waits()[i];
            if (wait.hold == Hold::Copy) // pinning is the question there
                continue;
            for (const WhatIfKind kind : {WhatIfKind::RemoveWait, WhatIfKind::RemoveRead}) {
                if (kind == WhatIfKind::RemoveRead && !m_changes.readAround(i))
                    continue;
                WhatIfQuestion& question = at(kind, wait.row);
                question.waits.push_back(i);
                question.timeNs = saturatingAdd(question.timeNs, wait.range.length().v);
            }
            if (!m_poll.tick())
                return false;
        }
        return true;
    }

    bool addCopies() {
        for (std::uint32_t i = 0; i < m_model.ops().size(); ++i) {
            if (!m_poll.tick())
                return false;
            const ReplayOp& op = m_model.ops()[i];
            if (op.call == kNoReplayItem || m_events.kind[op.event.v] != EventKind::Memcpy)
                continue;
            const HostRow call = m_index.tree().find(m_model.calls()[op.call].event);
            if (!call)
                continue;
            for (const WhatIfKind kind : {WhatIfKind::RemoveCopy, WhatIfKind::PinCopy}) {
                if (kind == WhatIfKind::PinCopy && !m_changes.isPageable(i))
                    continue;
                WhatIfQuestion& question = at(kind, call);
                question.ops.push_back(i);
                question.timeNs = saturatingAdd(question.timeNs, m_events.duration(op.event).v);
            }
        }
        return true;
    }

    // Calls that allocate or load: they neither launch nor wait.
    bool addCalls() {
        std::vector<EventId> waits;
        waits.reserve(m_model.waits().size());
        for (const ReplayWait& wait : m_model.waits())
            waits.push_back(wait.event);
        std::sort(waits.begin(), waits.end());
        for (std::uint32_t t = 0; t < m_model.trace().threads().size(); ++t) {
            if (!m_model.submits(ThreadId{t}))
                continue;
            for (const HostRow row : m_index.rows().calls(ThreadId{t}).lockers) {
                if (!m_poll.tick())
                    return false;
                const EventId event = m_index.tree().event(row);
                if (m_index.rows().cls(row) == PieceClass::SyncApi ||
                    std::binary_search(waits.begin(), waits.end(), event))
                    continue;
                WhatIfQuestion& question = at(WhatIfKind::RemoveHostTime, row);
                question.rows.push_back(event);
                question.timeNs = saturatingAdd(question.timeNs, m_events.duration(event).v);
            }
        }
        return true;
    }

    bool addRanges() {
        const HostTree& tree = m_index.tree();
        for (std::uint32_t t = 0; t < m_model.trace().threads().size(); ++t) {
            const HostTree::ThreadPart& part = tree.part(ThreadId{t});
            if (!m_model.submits(ThreadId{t}))
                continue;
            for (HostRow row{part.firstRow}; row.v < part.lastRow; ++row.v) {
                if (!m_poll.tick())
                    return false;
                const bool isData = m_index.rows().cls(row) == PieceClass::DataLoading;
                if ((tree.kind(row) == EventKind::Range || isData) && !m_index.rows().isStep(row))
                    m_ranges.add(tree.event(row));
            }
        }
        return true;
    }

    const ReplayModel& m_model;
    const ReplayChanges& m_changes;
    const GapIndex& m_index;
    const EventTable& m_events;
    SiteTable m_sites;
    RowPoll m_poll;
    std::map<std::pair<WhatIfKind, std::uint32_t>, WhatIfQuestion> m_bySite;
    RangeGroups m_ranges{m_model.trace()};
};

} // namespace

Result<std::vector<WhatIfQuestion>> whatIfQuestions(const ReplayModel& model, const ReplayChanges& changes,
                                                    JobControl& job) {
    std::vector<WhatIfQuestion> questions;
    if (!QuestionFinder(model, changes, job).run(questions))
        return cancelledError();
    return questions;
}

} // namespace lacuna
