#include "core/report/rank_table.h"

#include "core/analysis/busy_devices.h"
#include "core/analysis/steps.h"
#include "core/report/collective_match.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lacuna {

namespace {

struct RankFigures {
    const RankInput* input = nullptr;
    std::optional<std::int64_t> stepNs;
    std::int64_t spanNs = 0, busyNs = 0, communicationNs = 0, overlappedNs = 0;
    Collectives collectives;
    std::int64_t matched = 0, last = 0, waitNs = 0;
};

bool fillDevices(RankFigures& figures, JobControl& job) {
    const Trace& trace = *figures.input->trace;
    BusyDevices devices(trace);
    for (std::uint32_t d = 0; d < trace.devices().size(); ++d) {
        const DeviceBusy busy = devices.busy(DeviceId{d}, job);
        if (job.cancelled())
            return false;
        figures.spanNs += busy.span.length().v;
        figures.busyNs += busy.busyNs;
        for (unsigned mask = 1; mask < busy.stateNs.size(); ++mask)
            if ((mask & kCommunication) != 0) {
                figures.communicationNs += busy.stateNs[mask];
                figures.overlappedNs += (mask & kCompute) != 0 ? busy.stateNs[mask] : 0;
            }
    }
    auto collectives = collectivesOf(trace, devices, job);
    if (!collectives)
        return false;
    figures.collectives = *std::move(collectives);
    return true;
}

std::int64_t durationOf(const RankFigures& figures, EventId op) {
    return figures.input->trace->events().duration(op).v;
}

// Collectives whose names occur equally often everywhere. The number of those that do not; none when the job
// was cancelled.
std::optional<std::size_t> match(std::vector<RankFigures>& ranks, const JobControl& job) {
    RowPoll poll(job);
    std::size_t unmatched = 0;
    for (const RankFigures& rank : ranks)
        for (const auto& collective : rank.collectives) {
            const auto& name = collective.first; // no bindings: clang 14 keeps them out of lambdas
            const auto& ops = collective.second;
            const bool isEverywhere = std::all_of(ranks.begin(), ranks.end(), [&](const RankFigures& other) {
                const auto same = other.collectives.find(name);
                return same != other.collectives.end() && same->second.size() == ops.size();
            });
            if (!isEverywhere) {
                unmatched += ops.size();
                continue;
            }
            if (&rank != &ranks.front())
                continue;                                    // the first rank has all of these
            std::vector<const std::vector<EventId>*> theirs; // by rank
            theirs.reserve(ranks.size());
            for (const RankFigures& each : ranks)
                theirs.push_back(&each.collectives.at(name));
            std::vector<std::int64_t> durations(ranks.size());
            for (std::size_t k = 0; k < ops.size(); ++k) {
                if (!poll.tick())
                    return std::nullopt;
                for (std::size_t r = 0; r < ranks.size(); ++r)
                    durations[r] = durationOf(ranks[r], (*theirs[r])[k]);
                const std::int64_t least = *std::min_element(durations.begin(), durations.end());
                const auto last = lastToCome(durations);
                for (std::size_t r = 0; r < ranks.size(); ++r) {
                    ++ranks[r].matched;
                    ranks[r].waitNs += durations[r] - least;
                    ranks[r].last += last == r ? 1 : 0;
                }
            }
        }
    return unmatched;
}

} // namespace

Result<ReportTable> rankTable(const std::vector<RankInput>& inputs, JobControl& job) {
    std::vector<RankFigures> ranks;
    for (const RankInput& input : inputs) {
        RankFigures& figures = ranks.emplace_back();
        figures.input = &input;
        if (const Steps steps = findSteps(*input.trace, job); !steps.events.empty())
            figures.stepNs = steps.medianNs;
        if (!fillDevices(figures, job))
            return cancelledError();
    }
    const bool isSeveral = ranks.size() > 1;
    const auto unmatched = isSeveral ? match(ranks, job) : std::optional<std::size_t>(0);
    if (!unmatched)
        return cancelledError();
    std::stable_sort(ranks.begin(), ranks.end(), [](const RankFigures& a, const RankFigures& b) {
        return a.last != b.last ? a.last > b.last : a.input->rank < b.input->rank;
    });
    ReportTable table({integerColumn("Rank"), textColumn("File"), nsColumn("Step median (ns)"),
                       nsColumn("Busy (ns)"), decimalColumn("Share of span (%)", 1),
                       nsColumn("Communication (ns)"), nsColumn("Overlapped (ns)"),
                       integerColumn("Collectives"), integerColumn("Last Arrivals"), nsColumn("Wait (ns)"),
                       decimalColumn("Wait of span (%)", 1)});
    const auto share = [](std::int64_t part, std::int64_t whole) {
        return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    };
    for (const RankFigures& rank : ranks) {
        ReportTable::Row row = table.addRow();
        row.integer(rank.input->rank).text(rank.input->title);
        rank.stepNs ? row.ns(*rank.stepNs) : row.empty();
        row.ns(rank.busyNs)
            .decimal(share(rank.busyNs, rank.spanNs))
            .ns(rank.communicationNs)
            .ns(rank.overlappedNs);
        if (isSeveral)
            row.integer(rank.matched)
                .integer(rank.last)
                .ns(rank.waitNs)
                .decimal(share(rank.waitNs, rank.spanNs));
        else
            row.empty().empty().empty().empty();
    }
    if (!isSeveral)
        table.addNote("Open further ranks of the run to compare when they arrive at collectives.");
    else
        table.addNote(
            "Arrival is told by matching collectives, by name and order: the shortest came last, the "
            "others waited by how much theirs were longer. Clocks play no part.");
    if (*unmatched != 0)
        table.addNote(std::to_string(*unmatched) +
                      (*unmatched == 1 ? " collective has" : " collectives have") +
                      " no counterpart on every rank and count for none.");
    return table;
}

} // namespace lacuna
