#include "core/analysis/gap_groups.h"

#include "core/base/parallel.h"
#include "core/trace/api_name.h"

#include <algorithm>
#include <numeric>

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

// Members by length, ties by start, then as they came; totals. The lower median of sorted members lies at n /
// 2 from the longest. Lengths, cut off at 4 s, are sorted beside the ids: gaps are large and lie far apart.
void finishGroup(GapGroup& group, std::span<const Gap> gaps) {
    const auto length = [&](GapId id) { return gaps[id.v].length().v; };
    std::vector<std::pair<std::uint32_t, GapId>> keys;
    keys.reserve(group.members.size());
    for (const GapId id : group.members)
        keys.emplace_back(static_cast<std::uint32_t>(std::min<std::int64_t>(length(id), UINT32_MAX)), id);
    std::sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) {
        if (a.first != b.first)
            return a.first > b.first;
        const Gap &gapA = gaps[a.second.v], &gapB = gaps[b.second.v];
        if (gapA.length() != gapB.length())
            return gapA.length() > gapB.length();
        return gapA.range.begin != gapB.range.begin ? gapA.range.begin < gapB.range.begin
                                                    : a.second < b.second;
    });
    std::transform(keys.begin(), keys.end(), group.members.begin(),
                   [](const auto& key) { return key.second; });
    for (const GapId id : group.members) {
        group.totalNs += length(id);
        group.boundNs += gaps[id.v].boundNs;
    }
    group.medianNs = length(group.members[group.members.size() / 2]);
    group.worstStart = gaps[group.members.front().v].range.begin;
}

} // namespace

std::vector<GapGroup> makeGroups(std::span<Gap> gaps, std::vector<std::uint32_t>& sites,
                                 const SiteTable& table, std::vector<GapId>& byRank, unsigned threads) {
    std::vector<GapGroup> groups;
    std::vector<std::int64_t> firstBegin;
    std::vector<std::uint32_t> siteOf;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < gaps.size(); ++i) {
        const std::uint64_t key = std::uint64_t{sites[i]} << 8 | static_cast<std::uint64_t>(gaps[i].cause);
        const auto [at, fresh] = numbers.try_emplace(key, static_cast<std::uint32_t>(groups.size()));
        if (fresh) {
            groups.emplace_back();
            groups.back().cause = gaps[i].cause;
            groups.back().where = table.describe(sites[i], gaps[i].cause);
            firstBegin.push_back(gaps[i].range.begin.v);
            siteOf.push_back(sites[i]);
        }
        gaps[i].group = at->second;
        ++groups[at->second].count;
        firstBegin[at->second] = std::min(firstBegin[at->second], gaps[i].range.begin.v);
    }
    sites = {};
    for (GapGroup& group : groups)
        group.members.reserve(group.count);
    for (std::uint32_t i = 0; i < gaps.size(); ++i)
        groups[gaps[i].group].members.push_back(GapId{i});
    parallelFor(threads, groups.size(), [&](std::size_t group) { finishGroup(groups[group], gaps); });

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
    byRank.reserve(gaps.size());
    std::vector<std::uint32_t> open(ranked.size());
    std::iota(open.begin(), open.end(), 0u);
    for (std::size_t place = 0; !open.empty(); ++place) {
        std::size_t kept = 0;
        for (const std::uint32_t group : open) {
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
