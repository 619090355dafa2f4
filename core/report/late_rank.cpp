#include "core/report/late_rank.h"

#include "core/trace/row_poll.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lacuna {

namespace {

// Kernels of that name in order of time; none when the job was cancelled.
std::optional<std::vector<EventId>> kernelsNamed(const Trace& trace, std::string_view name,
                                                 const JobControl& job) {
    std::vector<EventId> found;
    const auto id = trace.strings().find(name);
    if (!id)
        return found;
    const EventTable& events = trace.events();
    RowPoll poll(job);
    for (std::uint32_t e = 0; e < events.size(); ++e) {
        if (!poll.tick())
            return std::nullopt;
        if (events.name[e] == *id && events.kind[e] == EventKind::Kernel)
            found.push_back(EventId{e});
    }
    if (!sortRows(found, poll, [&events](EventId a, EventId b) {
            return std::pair(events.beginNs[a.v], a.v) < std::pair(events.beginNs[b.v], b.v);
        }))
        return std::nullopt;
    return found;
}

} // namespace

Result<std::optional<LateRank>> lateRank(const Trace& own, EventId collective,
                                         const std::vector<const Trace*>& others, JobControl& job) {
    const std::string_view name = own.nameOf(collective);
    const auto ours = kernelsNamed(own, name, job);
    if (!ours)
        return cancelledError();
    const auto place = std::find(ours->begin(), ours->end(), collective);
    if (place == ours->end())
        return std::optional<LateRank>();
    const std::int64_t duration = own.events().duration(collective).v;
    std::optional<LateRank> last;
    bool isOne = true;
    for (std::size_t r = 0; r < others.size(); ++r) {
        const auto theirs = kernelsNamed(*others[r], name, job);
        if (!theirs)
            return cancelledError();
        if (theirs->size() != ours->size())
            return std::optional<LateRank>();
        const EventId same = (*theirs)[static_cast<std::size_t>(place - ours->begin())];
        const std::int64_t waited = duration - others[r]->events().duration(same).v;
        if (last && waited == last->waitedNs)
            isOne = false;
        if (!last || waited > last->waitedNs) {
            last = LateRank{r, waited};
            isOne = true;
        }
    }
    if (last && (last->waitedNs <= 0 || !isOne))
        last.reset();
    return last;
}

} // namespace lacuna
