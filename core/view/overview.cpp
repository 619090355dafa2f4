#include "core/view/overview.h"

#include "core/analysis/device_busy.h"

#include <algorithm>

namespace lacuna {

namespace {

// Time of ascending, disjoint ranges in every column.
template <class Ranges, class RangeOf>
std::vector<std::int64_t> timePerColumn(const Ranges& ranges, RangeOf rangeOf, const PixelGrid& grid) {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(grid.width()), 0);
    for (const auto& member : ranges) {
        const TimeRange range = intersection(rangeOf(member), grid.range());
        if (range.isEmpty())
            continue;
        const int first = grid.columnOf(range.begin.v), after = grid.columnAfter(range.end.v);
        for (int x = first; x < after; ++x)
            sums[static_cast<std::size_t>(x)] += intersection(range, grid.columnRange(x)).length().v;
    }
    return sums;
}

void fillColumns(DeviceOverview& device, const std::vector<std::int64_t>& idle, const PixelGrid& grid) {
    device.columns.resize(idle.size());
    for (std::size_t x = 0; x < idle.size(); ++x) {
        const TimeRange column = grid.columnRange(static_cast<int>(x));
        const auto length = static_cast<double>(column.length().v);
        const std::int64_t inside = intersection(column, device.window).length().v;
        device.columns[x] = {static_cast<float>(static_cast<double>(inside - idle[x]) / length),
                             static_cast<float>(static_cast<double>(idle[x]) / length),
                             static_cast<float>(static_cast<double>(column.length().v - inside) / length)};
    }
}

// Without the analysis: the union of the device's operations.
std::vector<std::int64_t> idleFromRows(const Trace& trace, DeviceOverview& device, const PixelGrid& grid) {
    JobControl job;
    const DeviceBusy busy = deviceBusy(trace, device.device, job);
    device.window = busy.span;
    const IntervalSet idle = busy.busy.complementIn(busy.span);
    return timePerColumn(
        idle.ranges(), [](const TimeRange& r) { return r; }, grid);
}

void addPins(DeviceOverview& device, const GapAnalysis& gaps, const Viewport& view) {
    const auto groups = gaps.groups();
    for (std::size_t k = 0; k < std::min<std::size_t>(3, groups.size()); ++k) {
        const auto worst = std::ranges::find_if(
            groups[k].members, [&](GapId id) { return gaps.gap(id).device == device.device; });
        if (worst == groups[k].members.end())
            continue;
        const TimeRange range = gaps.gap(*worst).range;
        device.pins.push_back(
            {static_cast<int>(k) + 1, *worst, (view.xOf(range.begin) + view.xOf(range.end)) / 2.0});
    }
}

} // namespace

Overview buildOverview(const Trace& trace, const GapAnalysis* gaps, int widthPx) {
    Overview overview;
    overview.viewport = snapped(Viewport::fitting(trace.window(), std::max(1, widthPx)));
    const PixelGrid grid(overview.viewport);
    std::vector<bool> hasWork(trace.devices().size(), false);
    for (const Lane& lane : trace.lanes())
        if (lane.kind == LaneKind::GpuStream && lane.device && lane.depth > 0)
            hasWork[lane.device.v] = true;
    for (std::uint32_t d = 0; d < hasWork.size(); ++d) {
        if (!hasWork[d])
            continue;
        DeviceOverview device;
        device.device = {d};
        if (gaps != nullptr) {
            device.window = gaps->deviceWindow({d});
            const auto rangeOf = [](const Gap& gap) { return gap.range; };
            fillColumns(device, timePerColumn(gaps->gapsOf({d}), rangeOf, grid), grid);
            addPins(device, *gaps, overview.viewport);
        } else {
            const auto idle = idleFromRows(trace, device, grid);
            fillColumns(device, idle, grid);
        }
        overview.devices.push_back(std::move(device));
    }
    return overview;
}

} // namespace lacuna
