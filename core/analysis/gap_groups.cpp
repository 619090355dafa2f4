#include "core/analysis/gap_groups.h"

#include "core/base/column.h"
#include "core/base/huge_pages.h"
#include "core/base/parallel.h"
#include "core/trace/api_name.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace lacuna::gaps {

SiteTable::SiteTable(const GapIndex& index)
    : m_index(index), m_api(index.trace().strings().size()), m_range(index.trace().strings().size()),
      m_shown(index.trace().strings().size()), m_sites(1) {}

StringId SiteTable::apiName(StringId name) {
    StringId& known = m_api[name.v];
    if (!known)
        known = m_pool.intern(stripApiVersion(m_index.trace().strings().view(name)));
    return known;
}

StringId SiteTable::rangeName(StringId name) {
    StringId& known = m_range[name.v];
    if (!known)
        known = m_pool.intern(withoutNumbers(m_index.trace().strings().view(name)));
    return known;
}

StringId SiteTable::shownName(StringId name) {
    StringId& known = m_shown[name.v];
    if (!known)
        known = m_pool.intern(m_index.trace().strings().view(name));
    return known;
}

// Kept per row: operators of one Python frame ask for the same long way up.
SiteTable::Above SiteTable::rangeAbove(HostRow row) {
    const HostTree& tree = m_index.tree();
    if (const auto known = m_above.find(row.v); known != m_above.end())
        return known->second;
    Above above;
    std::uint32_t levels = 0;
    for (HostRow up = row; up && !above.range && levels < HostTree::kLevelsLookedAt;
         up = tree.parent(up), ++levels)
        if (tree.kind(up) == EventKind::Range && !m_index.rows().isStep(up))
            above = {up, tree.range(up).end.v};
    m_above.emplace(row.v, above);
    return above;
}

std::uint32_t SiteTable::siteOf(HostRow row) {
    if (!row)
        return 0;
    const HostTree& tree = m_index.tree();
    const EventTable& events = m_index.events();
    const std::int64_t end = tree.range(row).end.v;
    CallSite site{apiName(events.name[tree.event(row).v]), {}, {}, {}};
    // Only what contains the row whole encloses it.
    HostRow up = tree.parent(row), range;
    std::uint32_t levels = 0;
    for (; up && !site.op && levels < HostTree::kLevelsLookedAt; up = tree.parent(up), ++levels) {
        const bool contains = tree.range(up).end.v >= end;
        if (contains && tree.kind(up) == EventKind::CpuOp)
            site.op = apiName(events.name[tree.event(up).v]);
        else if (contains && !range && tree.kind(up) == EventKind::Range && !m_index.rows().isStep(up))
            range = up;
    }
    for (; up && !range && levels < HostTree::kLevelsLookedAt; ++levels) {
        const Above above = rangeAbove(up);
        range = above.endNs >= end ? above.range : HostRow{};
        up = above.range ? tree.parent(above.range) : HostRow{};
    }
    if (range) {
        site.range = rangeName(events.name[tree.event(range).v]);
        site.shownRange = shownName(events.name[tree.event(range).v]);
    }
    const auto [at, fresh] = m_numbers.try_emplace(site, static_cast<std::uint32_t>(m_sites.size()));
    if (fresh)
        m_sites.push_back(site);
    else if (m_sites[at->second].shownRange != site.shownRange)
        m_sites[at->second].shownRange = site.range;
    return at->second;
}

namespace {

// What stands in place of a call site where no recorded host row held the gap.
std::string_view placeWithoutRow(GapCause cause) {
    switch (cause) {
    case GapCause::LaunchLatency:
        return "between operations that were already queued";
    case GapCause::InsideOneLaunch:
        return "between the nodes of one launch";
    case GapCause::StreamDependency:
    case GapCause::HostCallback:
        return "queued work that waited for other work";
    case GapCause::QueuedBeforeCapture:
        return "submitted before the capture began";
    case GapCause::LaunchNotRecorded:
        return "the launch is not recorded";
    case GapCause::DeviceUnexplained:
    case GapCause::PossiblyUnrecordedWork:
    case GapCause::OtherStreamRunning:
        return "queued work, on the device";
    default:
        return "host code outside every recorded row";
    }
}

} // namespace

std::string SiteTable::describe(std::uint32_t number, GapCause cause) const {
    const CallSite& site = m_sites[number];
    if (!site.api)
        return std::string(placeWithoutRow(cause));
    std::string text(m_pool.view(site.api));
    if (site.op)
        text.append(" < ").append(m_pool.view(site.op));
    if (site.range)
        text.append(" < \u2039").append(m_pool.view(site.shownRange)).append("\u203a");
    return text;
}

namespace {

bool comesLast(GapCause cause) {
    return classOf(cause) == GapClass::Startup || classOf(cause) == GapClass::Edge;
}

// Lengths of all gaps, cut off at 4 s, beside them: gaps are large, and a sort by length goes to and fro.
using ShortLengths = WorkColumn<std::uint32_t>;

// Longest first, equal ones as they are. Digit by digit from the lowest: `spare` is work space. False:
// cancelled.
bool sortByShortLength(std::vector<GapId>& members, std::vector<GapId>& spare, const ShortLengths& lengths,
                       RowPoll& poll) {
    constexpr unsigned kDigitBits = 11, kDigits = 3;
    constexpr std::size_t kBuckets = std::size_t{1} << kDigitBits;
    const auto bucketOf = [&](GapId id, unsigned digit) {
        return ~lengths[id.v] >> (digit * kDigitBits) & (kBuckets - 1);
    };
    std::vector<std::array<std::uint32_t, kDigits>> at(kBuckets);
    for (const GapId id : members) {
        if (!poll.tick())
            return false;
        for (unsigned digit = 0; digit < kDigits; ++digit)
            ++at[bucketOf(id, digit)][digit];
    }
    spare.resize(members.size());
    for (unsigned digit = 0; digit < kDigits; ++digit) {
        std::uint32_t next = 0;
        for (std::array<std::uint32_t, kDigits>& bucket : at)
            next += std::exchange(bucket[digit], next);
        for (const GapId id : members) {
            if (!poll.tick())
                return false;
            spare[at[bucketOf(id, digit)][digit]++] = id;
        }
        members.swap(spare);
    }
    return true;
}

// Members by length, ties by start, then as they came; totals. They come in the order of gaps, which is that
// of start where there is one device. The lower median of sorted members lies at n / 2 from the longest.
void finishGroup(GapGroup& group, std::span<const Gap> gaps, const ShortLengths& lengths,
                 const JobControl& job) {
    constexpr std::size_t kFew = 4096;
    const auto length = [&](GapId id) { return gaps[id.v].length().v; };
    const auto startsBefore = [&](GapId a, GapId b) { return gaps[a.v].range.begin < gaps[b.v].range.begin; };
    const auto isBefore = [&](GapId a, GapId b) {
        if (length(a) != length(b))
            return length(a) > length(b);
        return gaps[a.v].range.begin != gaps[b.v].range.begin ? startsBefore(a, b) : a < b;
    };
    RowPoll poll(job);
    for (const GapId id : group.members) {
        if (!poll.tick())
            return;
        group.totalNs += length(id);
        group.boundNs += gaps[id.v].boundNs;
    }
    std::vector<GapId>& members = group.members;
    auto exactUntil = members.end();
    if (members.size() > kFew) {
        std::vector<GapId> spare;
        reserveHuge(spare, members.size());
        if (!sortRows(members, poll, startsBefore) || !sortByShortLength(members, spare, lengths, poll))
            return;
        exactUntil = std::find_if(members.begin(), members.end(),
                                  [&](GapId id) { return lengths[id.v] != UINT32_MAX; });
    }
    std::sort(members.begin(), exactUntil, isBefore);
    group.medianNs = length(members[members.size() / 2]);
    group.worstStart = gaps[members.front().v].range.begin;
}

} // namespace

std::vector<GapGroup> makeGroups(std::span<Gap> gaps, std::vector<std::uint32_t>& sites,
                                 const SiteTable& table, std::vector<GapId>& byRank, const JobControl& job,
                                 unsigned threads) {
    std::vector<GapGroup> groups;
    std::vector<std::int64_t> firstBegin;
    std::vector<std::uint32_t> siteOf;
    std::vector<std::uint32_t> firstOfSite, nextOfSite; // by site and by group: a group of the site, + 1
    ShortLengths lengths(gaps.size());
    RowPoll poll(job);
    for (std::uint32_t i = 0; i < gaps.size(); ++i) {
        if (!poll.tick())
            return {};
        lengths[i] = static_cast<std::uint32_t>(std::min<std::int64_t>(gaps[i].length().v, UINT32_MAX));
        if (sites[i] >= firstOfSite.size())
            firstOfSite.resize(2 * std::size_t{sites[i]} + 1);
        std::uint32_t number = firstOfSite[sites[i]];
        while (number != 0 && groups[number - 1].cause != gaps[i].cause)
            number = nextOfSite[number - 1];
        if (number == 0) {
            groups.emplace_back();
            number = static_cast<std::uint32_t>(groups.size());
            nextOfSite.push_back(std::exchange(firstOfSite[sites[i]], number));
            groups.back().cause = gaps[i].cause;
            groups.back().where = table.describe(sites[i], gaps[i].cause);
            firstBegin.push_back(gaps[i].range.begin.v);
            siteOf.push_back(sites[i]);
        }
        const std::uint32_t group = number - 1;
        gaps[i].group = group;
        ++groups[group].count;
        firstBegin[group] = std::min(firstBegin[group], gaps[i].range.begin.v);
    }
    sites = {};
    for (GapGroup& group : groups)
        reserveHuge(group.members, group.count);
    for (std::uint32_t i = 0; i < gaps.size(); ++i) {
        if (!poll.tick())
            return {};
        groups[gaps[i].group].members.push_back(GapId{i});
    }
    parallelFor(threads, groups.size(),
                [&](std::size_t group) { finishGroup(groups[group], gaps, lengths, job); });
    lengths = {};
    if (job.cancelled())
        return {};

    std::vector<std::uint32_t> order(groups.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const bool lastA = comesLast(groups[a].cause), lastB = comesLast(groups[b].cause);
        if (lastA != lastB)
            return lastB;
        if (groups[a].totalNs != groups[b].totalNs)
            return groups[a].totalNs > groups[b].totalNs;
        return firstBegin[a] < firstBegin[b];
    });
    std::vector<GapGroup> ranked;
    ranked.reserve(groups.size());
    sites.reserve(groups.size());
    for (const std::uint32_t group : order) {
        ranked.push_back(std::move(groups[group]));
        sites.push_back(siteOf[group]);
    }

    // First every group's longest, then every group's second, and so on.
    byRank.clear();
    reserveHuge(byRank, gaps.size());
    std::vector<std::uint32_t> open(ranked.size());
    std::iota(open.begin(), open.end(), 0u);
    for (std::size_t place = 0; !open.empty(); ++place) {
        std::size_t kept = 0;
        for (const std::uint32_t group : open) {
            if (!poll.tick())
                return {};
            const GapId id = ranked[group].members[place];
            byRank.push_back(id);
            gaps[id.v].group = group;
            gaps[id.v].rank = static_cast<std::uint32_t>(byRank.size());
            if (place + 1 < ranked[group].members.size())
                open[kept++] = group;
        }
        open.resize(kept);
    }
    return ranked;
}

} // namespace lacuna::gaps
