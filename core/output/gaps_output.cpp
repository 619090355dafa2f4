#include "core/output/gaps_output.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

namespace lacuna {

namespace {

std::string joinNumbers(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (const std::int64_t n : numbers)
        text.append(text.empty() ? "" : ", ").append(std::to_string(n));
    return text;
}

std::vector<std::int64_t> sortedUnique(std::vector<std::int64_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

// Devices that did some work, restricted to the queried number.
Result<std::vector<DeviceId>> devicesOf(const GapAnalysis& analysis, const GapQuery& query) {
    std::vector<DeviceId> selected;
    std::vector<std::int64_t> known;
    for (std::uint32_t d = 0; d < analysis.trace().devices().size(); ++d) {
        if (analysis.deviceWindow(DeviceId{d}).isEmpty() && analysis.gapsOf(DeviceId{d}).empty())
            continue;
        const std::int64_t ordinal = analysis.trace().devices()[d].ordinal;
        known.push_back(ordinal);
        if (!query.device || *query.device == ordinal)
            selected.push_back(DeviceId{d});
    }
    if (selected.empty() && query.device)
        return Error{Errc::Unsupported,
                     known.empty() ? "the file holds no device work"
                                   : "no work of device " + std::to_string(*query.device) +
                                         "; the file has " + joinNumbers(sortedUnique(known)),
                     "--device",
                     {}};
    return selected;
}

std::optional<LaneId> streamLane(const Trace& trace, DeviceId device, std::int64_t stream) {
    const auto lanes = trace.lanes();
    for (std::uint32_t i = 0; i < lanes.size(); ++i)
        if (lanes[i].kind == LaneKind::GpuStream && lanes[i].device == device && lanes[i].sourceId == stream)
            return LaneId{i};
    return std::nullopt;
}

Error noSuchStream(const Trace& trace, const std::vector<DeviceId>& devices, std::int64_t stream) {
    std::vector<std::int64_t> known;
    for (const Lane& lane : trace.lanes())
        if (lane.kind == LaneKind::GpuStream &&
            std::find(devices.begin(), devices.end(), lane.device) != devices.end())
            known.push_back(lane.sourceId);
    return {Errc::Unsupported,
            "no work on stream " + std::to_string(stream) + "; there are " + joinNumbers(sortedUnique(known)),
            "--stream",
            {}};
}

// The gaps that share time with the window, cut to it, in order of time.
std::vector<ListedGap> cutToWindow(std::span<const Gap> gaps, const std::optional<TimeRange>& window) {
    std::vector<ListedGap> cut;
    for (const Gap& gap : gaps)
        if (const TimeRange part = window ? intersection(gap.range, *window) : gap.range; !part.isEmpty())
            cut.push_back({&gap, part, gap.rank});
    return cut;
}

// Sums per group; the order of rows is that of the groups' numbers, which is the order of rank.
std::vector<GroupRow> groupRows(std::span<const GapGroup> groups, std::span<const ListedGap> listed) {
    std::map<std::uint32_t, GroupRow> rows;
    for (const ListedGap& item : listed) {
        GroupRow& row = rows[item.gap->group];
        ++row.count;
        row.totalNs += item.range.length().v;
        row.boundNs += std::min(item.gap->boundNs, item.range.length().v);
        if (row.worst.gap == nullptr || item.range.length() > row.worst.range.length())
            row.worst = item;
    }
    std::vector<GroupRow> ordered;
    for (auto& [group, row] : rows) {
        row.cause = groups[group].cause;
        row.where = groups[group].where;
        ordered.push_back(std::move(row));
    }
    return ordered;
}

void selectList(DeviceGaps& result, std::span<const ListedGap> inWindow, const GapQuery& query) {
    for (const ListedGap& item : inWindow) {
        if (item.range.length().v >= query.minNs) {
            result.list.push_back(item);
        } else {
            ++result.shorter;
            result.shorterNs += item.range.length().v;
        }
    }
    if (!query.top || result.list.size() <= *query.top)
        return;
    const auto byRank = [](const ListedGap& a, const ListedGap& b) { return a.rank < b.rank; };
    const auto end = result.list.begin() + static_cast<std::ptrdiff_t>(*query.top);
    std::nth_element(result.list.begin(), end, result.list.end(), byRank);
    result.list.erase(end, result.list.end());
    std::sort(result.list.begin(), result.list.end(),
              [](const ListedGap& a, const ListedGap& b) { return a.range.begin < b.range.begin; });
}

} // namespace

Result<GapsReport> reportGaps(std::shared_ptr<const GapAnalysis> analysis, std::string sha256,
                              const GapQuery& query, JobControl& job) {
    auto devices = devicesOf(*analysis, query);
    if (!devices)
        return devices.error();
    GapsReport report{std::move(analysis), std::move(sha256), query, {}, {}};
    for (const DeviceId device : *devices) {
        if (job.cancelled())
            return cancelledError();
        DeviceGaps result;
        result.device = device;
        result.window = query.range.value_or(report.analysis->deviceWindow(device));
        result.totals = report.analysis->totals(device, result.window);
        if (query.stream) {
            const auto lane = streamLane(report.analysis->trace(), device, *query.stream);
            if (!lane)
                continue;
            auto ranked = report.analysis->rankedStreamGaps(*lane, job);
            if (!ranked)
                return ranked.error();
            report.streamGaps.push_back(std::make_unique<StreamGaps>(std::move(*ranked)));
            const StreamGaps& stream = *report.streamGaps.back();
            const auto inWindow = cutToWindow(stream.gaps, query.range);
            result.groups = groupRows(stream.groups, inWindow);
            selectList(result, inWindow, query);
        } else {
            const auto inWindow = cutToWindow(report.analysis->gapsOf(device), query.range);
            result.groups = groupRows(report.analysis->groups(), inWindow);
            selectList(result, inWindow, query);
        }
        report.devices.push_back(std::move(result));
    }
    if (query.stream && report.devices.empty())
        return noSuchStream(report.analysis->trace(), *devices, *query.stream);
    return report;
}

Status addReplaySavings(GapsReport& report, JobControl& job) {
    const auto isDrained = [](const DeviceGaps& device) { return !device.totals.drainingWaits.empty(); };
    if (std::none_of(report.devices.begin(), report.devices.end(), isDrained))
        return ok();
    const auto model = DrainSavings::build(report.analysis, job);
    if (!model)
        return model.error();
    for (DeviceGaps& device : report.devices) {
        auto savings = model->of(device.device, report.query.range, device.totals.drainingWaits, {}, job);
        if (!savings)
            return savings.error();
        device.savings = *std::move(savings);
    }
    return ok();
}

GapCuts cutsOf(const ListedGap& listed) {
    const Gap& gap = *listed.gap;
    // The cuts follow one another from the start of the gap; a gap without a known launch is one unknown cut.
    TimeNs at = gap.range.begin;
    const auto next = [&](std::int64_t length) {
        const TimeRange cut{at, at + DurationNs{length}};
        at = cut.end;
        return intersection(cut, listed.range).length().v;
    };
    GapCuts cuts;
    cuts.unknownNs = next(gap.unknownNs());
    cuts.beforeNs = next(gap.beforeNs);
    cuts.insideNs = next(gap.insideNs);
    cuts.afterNs = next(gap.afterNs);
    return cuts;
}

std::int64_t syncPartOf(const Gap& gap, const GapStory& story) {
    std::int64_t ns = 0;
    for (const GapPart& part : story.parts)
        if (part.cause == GapCause::SyncDrain)
            ns += part.ns;
    return std::min(gap.syncPartNs, ns);
}

GapStory storyOf(const GapsReport& report, const ListedGap& listed) {
    GapStory story = report.analysis->explain(*listed.gap);
    if (!listed.isCut())
        return story;
    for (GapPiece& piece : story.pieces)
        piece.range = intersection(piece.range, listed.range);
    std::erase_if(story.pieces, [](const GapPiece& piece) { return piece.range.isEmpty(); });
    story.parts = report.analysis->partsWithin(*listed.gap, listed.range);
    return story;
}

} // namespace lacuna
