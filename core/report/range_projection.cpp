#include "core/report/range_projection.h"

#include "core/report/enclosing_ranges.h"

#include <algorithm>
#include <utility>

namespace lacuna {

Result<RangeProjection> projectRanges(const ReportInput& input, JobControl& job) {
    ReportInput everyRange = input; // the range of the options selects operations
    everyRange.options.range.reset();
    auto tree = RangeTree::build(everyRange, job);
    if (!tree)
        return cancelledError();
    const auto isUsed = rangesOfOneThread(input, *tree, job);
    if (!isUsed)
        return isUsed.error();
    const auto launched = launchedOps(input, kGpuKinds, job);
    if (!launched)
        return cancelledError();
    const EventTable& events = input.trace.events();
    EnclosingRanges enclosing(*tree, *isUsed);
    Column<ProjectedRange> projected(tree->ranges().size());
    Column<EventId> lastCall(tree->ranges().size());
    RowPoll poll(job);
    for (const LaunchedOp& op : launched->ops) {
        if (!poll.tick())
            return cancelledError();
        const TimeRange call = events.range(op.call), work = events.range(op.op);
        for (const std::uint32_t i : enclosing.of(op.thread, call.begin.v, call.end.v)) {
            ProjectedRange& range = projected[i];
            const bool isFirst = range.calls == 0;
            range.begin = isFirst ? work.begin.v : std::min(range.begin, work.begin.v);
            range.end = isFirst ? work.end.v : std::max(range.end, work.end.v);
            if (lastCall[i] != op.call) // the operations of one call follow one another
                ++range.calls;
            lastCall[i] = op.call;
        }
    }
    for (std::uint32_t i = 0; i < projected.size(); ++i) {
        if (!poll.tick())
            return cancelledError();
        const AnnotatedRange& range = tree->ranges()[i];
        if (projected[i].calls > 0 && range.parent != AnnotatedRange::kNoParent &&
            range.style == RangeStyle::PushPop)
            ++projected[range.parent].children;
    }
    std::size_t kept = 0;
    for (std::uint32_t i = 0; i < projected.size(); ++i) {
        if (!poll.tick())
            return cancelledError();
        if (projected[i].calls == 0)
            continue;
        projected[i].range = i;
        projected[kept++] = projected[i];
    }
    projected.resize(kept);
    RangeProjection result;
    result.ranges = std::move(projected);
    result.tree = *std::move(tree);
    result.unlaunched = launched->unlaunched;
    return result;
}

} // namespace lacuna
