#include "widgets/search/search_session.h"

#include "core/import/byte_source.h"
#include "core/import/open_details.h"
#include "widgets/text.h"

namespace lacuna::ui {

SearchSession::SearchSession(AnalysisSession& session, TimelineViewModel& view)
    : m_session(session), m_view(view) {
    // Rows are numbers of one trace: with another one, or a fuller preview, all is looked for again.
    connect(&session, &AnalysisSession::documentChanged, this, &SearchSession::restart);
    connect(&session, &AnalysisSession::previewChanged, this, &SearchSession::restart);
    connect(&m_argJob, &JobSlot::progress, this, &SearchSession::progress);
}

std::shared_ptr<const Trace> SearchSession::trace() const {
    const Document* shown = m_session.shown();
    return shown == nullptr ? nullptr : shown->loaded.trace;
}

const std::vector<EventId>& SearchSession::listed() const {
    static const std::vector<EventId> kNone;
    return m_found ? m_found->listed : kNone;
}

void SearchSession::setTyped(const QString& typed) {
    if (typed == m_typed)
        return;
    m_typed = typed;
    restart();
}

void SearchSession::setOptions(PatternOptions options) {
    if (options.isRegex == m_options.isRegex && options.caseSensitive == m_options.caseSensitive)
        return;
    m_options = options;
    restart();
}

SearchSession::Found SearchSession::makeFound(SearchHits hits) {
    Found found;
    found.listed = hits.firstInTime(kListed);
    found.hits = std::make_shared<const SearchHits>(std::move(hits));
    return found;
}

void SearchSession::restart() {
    m_names.cancel();
    m_argJob.cancel();
    m_args = Args::None;
    m_unreadable = 0;
    m_problem.clear();
    const auto query = parseQuery(m_typed.toStdString(), m_options);
    const auto trace = this->trace();
    if (!query) {
        fail(query.error());
        return;
    }
    m_query = *query;
    if (m_query.isEmpty() || trace == nullptr) {
        show(std::nullopt);
        return;
    }
    if (m_query.wantsArgs)
        m_args = Args::Waiting;
    // Hits of another trace must not be drawn; those of the last letters typed stay until there are new ones.
    if (m_found && m_found->hits->trace() != trace) {
        m_found.reset();
        ++m_generation;
    }
    m_view.setSearchHits(m_found ? m_found->hits : nullptr);
    m_names.start<Found>(
        [trace, query = m_query](JobControl& job) -> Result<Found> {
            auto hits = searchNames(trace, query, job);
            if (!hits)
                return hits.error();
            return makeFound(std::move(*hits));
        },
        [this](Result<Found> found) {
            if (found)
                show(std::move(*found));
            else
                fail(found.error());
        });
    Q_EMIT changed();
}

void SearchSession::show(std::optional<Found> found) {
    m_found = std::move(found);
    ++m_generation;
    m_view.setSearchHits(m_found ? m_found->hits : nullptr);
    Q_EMIT changed();
}

void SearchSession::fail(const Error& error) {
    m_problem = text(error.detail);
    if (!error.place.empty())
        m_problem += tr(" (at %1)").arg(text(error.place));
    if (!error.remedy.empty())
        m_problem += u' ' + text(error.remedy);
    show(std::nullopt);
}

void SearchSession::readArgs() {
    const Document* document = m_session.document();
    if (m_args == Args::None || m_args == Args::Reading || document == nullptr)
        return;
    m_args = Args::Reading;
    m_argState = std::make_shared<ArgSearchState>();
    struct Read {
        Found found;
        bool isComplete = false;
        std::uint64_t unreadable = 0;
    };
    m_argJob.start<Read>(
        [trace = trace(), query = m_query, state = m_argState, file = document->path.toStdString(),
         member = document->member.toStdString()](JobControl& job) -> Result<Read> {
            if (isStandardInput(file))
                return Error{Errc::Unsupported,
                             "Arguments of a trace from standard input cannot be read again.",
                             {},
                             {}};
            // A reader of its own: that of the document serves the inspector meanwhile.
            LoadOptions options;
            options.member = member;
            auto reader = openDetails(file, builtinImporters(), options);
            if (!reader)
                return reader.error();
            auto read = searchArgs(trace, query, **reader, *state, job);
            if (!read)
                return read.error();
            const bool isComplete = read->isComplete();
            return Read{makeFound(std::move(read->hits)), isComplete, read->unreadable};
        },
        [this](Result<Read> read) {
            if (!read) {
                m_args = Args::Waiting;
                fail(read.error());
                return;
            }
            m_args = read->isComplete ? Args::Complete : Args::Stopped;
            m_unreadable = read->unreadable;
            show(std::move(read->found));
        });
    Q_EMIT changed();
}

void SearchSession::stopArgs() {
    m_argState->enough = true;
}

void SearchSession::stopJobs() {
    m_names.cancel();
    m_argJob.cancel();
}

bool SearchSession::step(int direction) {
    const SearchHits* hits = this->hits();
    if (hits == nullptr || hits->isEmpty())
        return false;
    std::optional<EventId> target;
    if (const EventId selected = m_session.selection().event())
        target = hits->beside(selected, direction);
    else if (direction > 0)
        target = hits->atOrAfter(m_view.viewport().range().begin);
    else
        target = hits->before(m_view.viewport().range().end);
    if (!target)
        target = direction > 0 ? hits->atOrAfter({INT64_MIN}) : hits->before({INT64_MAX});
    m_view.goTo(*target, Origin::Command);
    Q_EMIT changed();
    return true;
}

std::optional<std::uint64_t> SearchSession::place() const {
    const SearchHits* hits = this->hits();
    const EventId selected = m_session.selection().event();
    if (hits == nullptr || !selected || !hits->holds(selected))
        return std::nullopt;
    return hits->placeOf(selected) + 1;
}

} // namespace lacuna::ui
