#include "widgets/session/replay_results.h"

#include "widgets/session/analysis_session.h"

namespace lacuna::ui {

ReplayResults::ReplayResults(AnalysisSession& session) : QObject(&session), m_session(session) {
    connect(&session, &AnalysisSession::documentChanged, this, &ReplayResults::reset);
}

void ReplayResults::reset() {
    m_making.cancel();
    m_asking.cancel();
    m_asked = nullptr;
    m_answers.clear();
    m_hasFailed = false;
    m_making.release(std::move(m_results.whatIf));
    m_results = {};
}

bool ReplayResults::want() {
    if (m_results.whatIf != nullptr)
        return true;
    const Document* document = m_session.document();
    if (document == nullptr || m_making.isRunning() || m_hasFailed)
        return false;
    m_making.start<Results>(
        [gaps = document->gaps](JobControl& job) -> Result<Results> {
            Results results;
            const auto model = ReplayModel::build(gaps->index(), job);
            if (!model)
                return model.error();
            auto path = lacuna::criticalPath(**model, job);
            if (!path)
                return path.error();
            results.path = std::make_shared<const CriticalPath>(std::move(*path));
            auto whatIf = WhatIf::build(gaps, *model, {}, job);
            if (!whatIf)
                return whatIf.error();
            results.whatIf = std::move(*whatIf);
            return results;
        },
        [this](Result<Results> results) {
            m_hasFailed = !results;
            if (results)
                m_results = std::move(*results);
            Q_EMIT changed();
        });
    return false;
}

std::shared_ptr<const CriticalPath> ReplayResults::criticalPath() {
    return want() ? m_results.path : nullptr;
}

ReplayResults::Saving ReplayResults::savingOf(GapId gap) {
    if (!want())
        return {m_hasFailed, nullptr, {}};
    const WhatIfQuestion* question = m_results.whatIf->questionFor(m_session.document()->gaps->gap(gap));
    if (question == nullptr)
        return {true, nullptr, {}};
    if (const auto known = m_answers.find(question); known != m_answers.end())
        return {true, question, known->second};
    ask(question);
    return {false, question, {}};
}

void ReplayResults::ask(const WhatIfQuestion* question) {
    if (m_asked == question && m_asking.isRunning())
        return;
    m_asked = question;
    m_asking.start<WhatIfAnswer>(
        [whatIf = m_results.whatIf, question](JobControl& job) { return whatIf->answer(*question, job); },
        [this, question](Result<WhatIfAnswer> answer) {
            if (!answer)
                return;
            m_answers.emplace(question, *answer);
            Q_EMIT changed();
        });
}

} // namespace lacuna::ui
