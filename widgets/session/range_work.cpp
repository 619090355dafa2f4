#include "widgets/session/range_work.h"

#include "core/analysis/outside_step.h"
#include "widgets/session/session_settings.h"
#include "widgets/session/settle.h"
#include "widgets/tables/report_job.h"

#include <utility>

namespace lacuna::ui {

namespace {

struct LookedAt {
    std::shared_ptr<const HostTree> tree;
    std::shared_ptr<const FoundRangeWork> found;
};

Result<LookedAt> lookAt(const Trace& trace, JobDetails& details, std::shared_ptr<const HostTree> tree,
                        TimeRange range, JobControl& job) {
    if (tree == nullptr) {
        auto built = HostTree::build(trace, {false, false}, job);
        if (!built)
            return built.error();
        tree = std::make_shared<const HostTree>(*std::move(built));
    }
    auto work =
        details.with([&](DetailReader* reader) { return expectedWork(trace, *tree, reader, range, job); });
    if (!work)
        return work.error();
    auto facts = fusionFacts(trace, *tree, range, job);
    if (!facts)
        return facts.error();
    return LookedAt{std::move(tree), std::make_shared<const FoundRangeWork>(
                                         FoundRangeWork{range, *std::move(work), *std::move(facts)})};
}

} // namespace

RangeWork::RangeWork(AnalysisSession& session, QObject* parent) : QObject(parent), m_session(session) {
    connect(&session, &AnalysisSession::documentChanged, this, [this] {
        m_soon.stop();
        m_slot.cancel();
        const Document* document = m_session.document();
        m_details =
            document == nullptr ? nullptr : std::make_shared<JobDetails>(document->path, document->member);
        m_tree.reset();
        m_found.reset();
        m_wanted.reset();
    });
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSettleMs);
    connect(&m_soon, &QTimer::timeout, this, &RangeWork::start);
    connect(&SessionSettings::of(session), &SessionSettings::changed, this, [this] {
        if (m_found == nullptr)
            return;
        m_found = withOutside(*m_found);
        Q_EMIT changed();
    });
}

// The step without a profiler is what the user tells, and may tell later.
std::shared_ptr<const FoundRangeWork> RangeWork::withOutside(FoundRangeWork found) const {
    const auto outside = outsideStep(*SessionSettings::of(m_session).values());
    found.facts.outsideNs = outside ? std::optional(outside->meanNs) : std::nullopt;
    return std::make_shared<const FoundRangeWork>(std::move(found));
}

RangeWork::~RangeWork() {
    m_slot.cancel();
}

const FoundRangeWork* RangeWork::found(TimeRange range) const {
    return m_found != nullptr && m_found->range == range ? m_found.get() : nullptr;
}

void RangeWork::look(TimeRange range) {
    if (m_session.document() == nullptr || m_details == nullptr || m_wanted == range)
        return;
    m_wanted = range;
    m_slot.cancel();
    m_soon.start();
}

void RangeWork::start() {
    const Document* document = m_session.document();
    if (document == nullptr || m_details == nullptr || !m_wanted)
        return;
    m_slot.start<LookedAt>(
        [trace = document->loaded.trace, details = m_details, tree = m_tree,
         range = *m_wanted](JobControl& job) { return lookAt(*trace, *details, tree, range, job); },
        [this](Result<LookedAt> looked) {
            if (!looked)
                return; // only a cancelled job has none
            m_tree = looked->tree;
            m_found = withOutside(*looked->found);
            Q_EMIT changed();
        });
}

void RangeWork::setReference() {
    if (m_found == nullptr)
        return;
    m_reference = m_found->facts;
    Q_EMIT changed();
}

void RangeWork::dropReference() {
    m_reference.reset();
    Q_EMIT changed();
}

} // namespace lacuna::ui
