#include "core/import/detail/chrome_ranks.h"

#include "core/base/poll.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace lacuna::chrome {

namespace {

constexpr std::uint32_t kSeveral = 0;          // in place of a domain: more than one process uses the id
constexpr std::uint32_t kNoCall = 0xffffffffu; // a domain without host calls

std::uint32_t domainOf(std::uint64_t correlation) {
    return static_cast<std::uint32_t>(correlation >> 32);
}

std::uint32_t idOf(std::uint64_t correlation) {
    return static_cast<std::uint32_t>(correlation);
}

// Calls `visit(row, correlation)` for the rows that have one; false when cancelled.
template <class Visit> bool eachCorrelated(const TraceBuilder& builder, JobControl& job, Visit visit) {
    for (std::uint32_t row = 0; row < builder.size(); ++row) {
        if (row % kRowsPerPoll == 0 && job.cancelled())
            return false;
        if (const std::uint64_t correlation = builder.correlationOf(row); correlation != 0)
            visit(row, correlation);
    }
    return true;
}

} // namespace

bool splitCorrelations(TraceBuilder& builder, const std::vector<std::uint32_t>& domains, JobControl& job) {
    if (domains.size() < 2)
        return true;
    std::unordered_map<std::uint32_t, std::uint32_t> ownerOfId;
    const auto isOurs = [&](std::uint32_t domain) {
        return std::find(domains.begin(), domains.end(), domain) != domains.end();
    };
    const bool ownersKnown = eachCorrelated(builder, job, [&](std::uint32_t row, std::uint64_t correlation) {
        const std::uint32_t domain = domainOf(correlation);
        if (!isHostCall(builder.kindOf(row)) || !isOurs(domain))
            return;
        const auto [at, isNew] = ownerOfId.try_emplace(idOf(correlation), domain);
        if (!isNew && at->second != domain)
            at->second = kSeveral;
    });
    if (!ownersKnown)
        return false;

    const auto isOpen = [&](std::uint32_t row, std::uint64_t correlation) {
        return domainOf(correlation) == kPlainDomain && !isHostCall(builder.kindOf(row));
    };
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> votes; // lane -> domain -> rows
    const bool votesKnown = eachCorrelated(builder, job, [&](std::uint32_t row, std::uint64_t correlation) {
        if (!isOpen(row, correlation))
            return;
        const auto owner = ownerOfId.find(idOf(correlation));
        if (owner != ownerOfId.end() && owner->second != kSeveral)
            ++votes[builder.laneOf(row).v][owner->second];
    });
    if (!votesKnown)
        return false;
    std::map<std::uint32_t, std::uint32_t> domainOfLane;
    for (const auto& [lane, count] : votes) {
        std::uint64_t all = 0;
        std::pair<std::uint64_t, std::uint32_t> most{0, kNoCall};
        for (const auto& [domain, rows] : count) {
            all += rows;
            most = std::max(most, {rows, domain});
        }
        domainOfLane[lane] = most.first * 10 >= all * 9 ? most.second : kNoCall;
    }
    return eachCorrelated(builder, job, [&](std::uint32_t row, std::uint64_t correlation) {
        if (!isOpen(row, correlation))
            return;
        const auto owner = ownerOfId.find(idOf(correlation));
        const auto lane = domainOfLane.find(builder.laneOf(row).v);
        std::uint32_t domain = lane == domainOfLane.end() ? kNoCall : lane->second;
        if (owner != ownerOfId.end() && owner->second != kSeveral)
            domain = owner->second;
        else if (owner != ownerOfId.end() && domain == kNoCall)
            builder.report().note(
                "ambiguous_correlation",
                "Several processes of this file use the same correlation ids, as in merged files of several "
                "ranks: which of them launched this work is not known.",
                {}, Severity::Warning);
        builder.setCorrelation(row, (std::uint64_t{domain} << 32) + idOf(correlation));
    });
}

} // namespace lacuna::chrome
