#include "core/report/late_rank.h"

#include "core/report/collective_match.h"

#include <algorithm>

namespace lacuna {

Result<std::optional<LateRank>> lateRank(const Trace& own, EventId collective,
                                         const std::vector<const Trace*>& others, JobControl& job) {
    const auto ofName = [&](const Trace& trace) -> std::optional<std::vector<EventId>> {
        auto all = collectivesOf(trace, BusyDevices(trace), job);
        if (!all)
            return std::nullopt;
        const auto at = all->find(own.nameOf(collective));
        return at == all->end() ? std::vector<EventId>() : std::move(at->second);
    };
    const auto ours = ofName(own);
    if (!ours)
        return cancelledError();
    const auto place = std::find(ours->begin(), ours->end(), collective);
    if (place == ours->end())
        return std::optional<LateRank>();
    std::vector<std::int64_t> durations{own.events().duration(collective).v}; // the own first
    for (const Trace* other : others) {
        const auto theirs = ofName(*other);
        if (!theirs)
            return cancelledError();
        if (theirs->size() != ours->size())
            return std::optional<LateRank>();
        const EventId same = (*theirs)[static_cast<std::size_t>(place - ours->begin())];
        durations.push_back(other->events().duration(same).v);
    }
    const auto last = lastToCome(durations);
    if (!last || *last == 0)
        return std::optional<LateRank>();
    return std::optional(LateRank{*last - 1, durations.front() - durations[*last]});
}

} // namespace lacuna
