// Fitting goes from the mildest to the harshest means: lower rows, shallower lanes, then whole lanes are left
// out, those first that say least about the gap; the streams, the launching thread's calls, its ranges and
// the steps go last. The figure says how many lanes are missing.

#include "widgets/figure/figure_rows.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace lacuna::ui {

namespace {

constexpr double kMaxStretch = 1.5, kMinStretch = 0.85;
constexpr std::uint32_t kFewestStrips = 2;

// The thread that the figure is about: the one that launched late, else the one with most host calls in view.
ThreadId subjectThread(const FigureInput& input) {
    if (input.gap && input.gaps != nullptr)
        return input.gaps->gap(input.gap).thread;
    const RowLayout layout = RowLayout::build(*input.trace, input.layout);
    for (const TimelineRow& row : layout.rows())
        if (row.kind == RowKind::GroupHead && row.thread)
            return row.thread; // the launching thread comes first
    return {};
}

// Higher stays longer.
int worthOf(const Lane& lane, ThreadId subject) {
    const bool own = lane.thread == subject;
    switch (lane.kind) {
    case LaneKind::GpuStream:
        return 100;
    case LaneKind::CudaApi:
        return own ? 95 : 30;
    case LaneKind::Steps:
        return 90;
    case LaneKind::Range:
        return own ? 85 : 25;
    case LaneKind::CpuThread:
        return own ? 80 : 28;
    case LaneKind::Python:
        return own ? 75 : 20;
    case LaneKind::OsRuntime:
        return own ? 60 : 15;
    case LaneKind::GpuRange:
        return 50;
    case LaneKind::Counter:
        return 40;
    case LaneKind::GpuSync:
        return 10;
    case LaneKind::Async:
        return 8;
    case LaneKind::Overhead:
    case LaneKind::Marks:
        return 5;
    }
    return 0;
}

// Lanes of a layout, least worth first; of equal worth the lowest on the picture first.
std::vector<LaneId> byWorth(const Trace& trace, const RowLayout& layout, ThreadId subject) {
    std::vector<LaneId> lanes;
    for (const TimelineRow& row : layout.rows())
        if (row.kind == RowKind::Lane)
            lanes.push_back(row.lane);
    std::reverse(lanes.begin(), lanes.end());
    std::stable_sort(lanes.begin(), lanes.end(), [&](LaneId a, LaneId b) {
        return worthOf(trace.lane(a), subject) < worthOf(trace.lane(b), subject);
    });
    return lanes;
}

// Rows that end below the room are left out whole; at least one stays.
double heightOfWholeRows(const RowLayout& layout, double room, std::int32_t scrollPx, int& leftOut) {
    double height = 0;
    for (const TimelineRow& row : layout.rows()) {
        const double end = row.y + row.height - scrollPx;
        if (end <= room || height <= 0)
            height = std::max(0.0, std::min(end, room));
        else if (row.kind == RowKind::Lane)
            ++leftOut;
    }
    return height;
}

} // namespace

FittedRows fitRows(const FigureInput& input, double room) {
    const Trace& trace = *input.trace;
    LayoutOptions options = input.layout;
    if (input.hideUserNames)
        options.plan.names.clear(); // given to lanes
    options.onlyIn = input.range;
    if (!options.focus)
        options.focus = input.gap && input.gaps != nullptr ? input.gaps->gap(input.gap).range : input.range;
    const LayoutFacts facts = LayoutFacts::of(trace);
    options.facts = &facts;
    FittedRows fitted{RowLayout::build(trace, options), 0, 0};
    if (room <= 0) {
        fitted.height = fitted.layout.height() - input.scrollPx;
        return fitted;
    }
    const auto tooHigh = [&] { return fitted.layout.height() * kMinStretch > room; };
    if (tooHigh() && input.scrollPx == 0) {
        options.notes = false;
        while (tooHigh() && options.maxStrips > kFewestStrips) {
            --options.maxStrips;
            fitted.layout = RowLayout::build(trace, options);
        }
        for (const LaneId lane : byWorth(trace, fitted.layout, subjectThread(input))) {
            if (!tooHigh() || trace.lane(lane).kind == LaneKind::GpuStream)
                break;
            options.without.insert(laneKey(trace, lane));
            ++fitted.leftOut;
            fitted.layout = RowLayout::build(trace, options);
        }
    }
    const double factor = std::clamp(room / std::max(1, fitted.layout.height()), kMinStretch, kMaxStretch);
    fitted.layout = fitted.layout.stretched(factor);
    fitted.height = heightOfWholeRows(fitted.layout, room, input.scrollPx, fitted.leftOut);
    return fitted;
}

} // namespace lacuna::ui
