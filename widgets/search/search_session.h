#pragma once
// The search of the window: what is typed, what was found, where the walk through it stands. Names are
// searched while typing, in the background, the latest wins; arguments stand in the file and are read when
// asked for. The hits are shown by the view model and the results panel.

#include "core/search/search.h"
#include "widgets/session/job_slot.h"
#include "widgets/timeline/timeline_view_model.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace lacuna::ui {

class SearchSession : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kListed = 100'000; // rows of the results table

    SearchSession(AnalysisSession& session, TimelineViewModel& view);

    const QString& typed() const { return m_typed; }
    PatternOptions options() const { return m_options; }
    void setTyped(const QString& typed);
    void setOptions(PatternOptions options);

    // Null: nothing is looked for, or nothing is known yet.
    const SearchHits* hits() const { return m_found ? m_found->hits.get() : nullptr; }
    // The first of them in time, at most kListed.
    const std::vector<EventId>& listed() const;
    std::uint64_t generation() const { return m_generation; } // of hits(): another number, other hits
    bool isRunning() const { return m_names.isRunning(); }
    // Why there is nothing to be found: the query cannot be understood, or the file not be read. Else empty.
    const QString& problem() const { return m_problem; }

    // Arguments: None where the query asks for none, Waiting until readArgs().
    enum class Args : std::uint8_t { None, Waiting, Reading, Complete, Stopped };
    Args args() const { return m_args; }
    void readArgs();
    void stopArgs(); // keeps what was found so far
    const ArgSearchState& argState() const { return *m_argState; }
    void stopJobs(); // what was found stays; a running search begins anew with the next document
    std::uint64_t unreadable() const { return m_unreadable; }

    // Goes to the next (1) or previous (-1) hit in time: after the selected event, else from the view; around
    // at the ends. False when there is none.
    bool step(int direction);
    // Place of the selected event among the hits, from 1.
    std::optional<std::uint64_t> place() const;

Q_SIGNALS:
    void changed();  // anything of the above
    void progress(); // while arguments are read

private:
    struct Found {
        std::shared_ptr<const SearchHits> hits;
        std::vector<EventId> listed;
    };
    static Found makeFound(SearchHits hits);
    std::shared_ptr<const Trace> trace() const;
    void restart();
    void show(std::optional<Found> found);
    void fail(const Error& error);

    AnalysisSession& m_session;
    TimelineViewModel& m_view;
    QString m_typed, m_problem;
    PatternOptions m_options;
    SearchQuery m_query;
    std::optional<Found> m_found;
    Args m_args = Args::None;
    std::shared_ptr<ArgSearchState> m_argState = std::make_shared<ArgSearchState>();
    std::uint64_t m_unreadable = 0, m_generation = 0;
    JobSlot m_names, m_argJob; // last: their destructors wait
};

} // namespace lacuna::ui
