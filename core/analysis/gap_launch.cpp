// One function per rule, asked in order; the first that applies names the cause.

#include "core/analysis/gap_launch.h"

#include "core/trace/strip_query.h"

#include <algorithm>
#include <array>

namespace lacuna::gaps {

namespace {

struct Launch {
    const GapIndex& index;
    const Gap& gap;
    TimeRange call;   // L
    TimeRange inside; // its cut of the gap
    std::string_view name;
    bool isGraph = false;

    const GapThresholds& limits() const { return index.thresholds(); }
    bool isOver(double factor, std::int64_t median) const {
        return median > 0 && static_cast<double>(gap.insideNs) > factor * static_cast<double>(median);
    }
    std::int64_t medianOfName() const {
        return index.rows().medianDuration(index.events().name[gap.launch.v]);
    }
};

bool pageableCopy(const Launch& launch, LaunchSide& result) { // I0
    const CopyArgs* copy = launch.index.trace().hotArgs().copies.find(launch.gap.next);
    if (copy == nullptr || launch.index.events().kind[launch.gap.next.v] != EventKind::Memcpy)
        return false;
    if (!(copy->kind == CopyKind::HtoD && copy->src == MemKind::Pageable) &&
        !(copy->kind == CopyKind::DtoH && copy->dst == MemKind::Pageable))
        return false;
    result.cause = GapCause::PageableCopy;
    return true;
}

bool moduleLoad(const Launch& launch, LaunchSide& result) { // I1
    EventId loading;
    launch.index.overheadRows().visit(launch.call, [&](EventId row, TimeRange) {
        const TimeRange range = launch.index.events().range(row);
        if (!loading && range.begin >= launch.call.begin && range.end <= launch.call.end &&
            isModuleOverhead(launch.index.trace().nameOf(row)))
            loading = row;
    });
    const bool isFirst = !launch.isGraph && launch.index.isFirstOfItsName(launch.gap.next) &&
                         launch.isOver(launch.limits().slowCallFactor, launch.medianOfName());
    if (!loading && !isFirst)
        return false;
    result = {GapCause::ModuleLoad, loading};
    return true;
}

bool profilerOverhead(const Launch& launch, LaunchSide& result) { // I2
    std::int64_t ns = 0;
    EventId first;
    launch.index.overheadRows().visit(launch.call, [&](EventId row, TimeRange common) {
        const std::string_view name = launch.index.trace().nameOf(row);
        if (isModuleOverhead(name) || isCompilerOverhead(name))
            return;
        ns += common.length().v;
        first = first ? first : row;
    });
    if (!first ||
        static_cast<double>(ns) < launch.limits().overheadShare * static_cast<double>(launch.call.length().v))
        return false;
    result = {GapCause::ProfilerArtifact, first};
    return true;
}

bool driverLock(const Launch& launch, LaunchSide& result) { // I3
    const Trace& trace = launch.index.trace();
    const HostTree& tree = launch.index.tree();
    const auto needed = launch.limits().lockOverlapShare * static_cast<double>(launch.inside.length().v);
    const auto holdsLock = [&](ThreadId thread) {
        const std::vector<HostRow>& lockers = launch.index.rows().calls(thread).lockers;
        if (thread == launch.gap.thread)
            return false;
        // Outermost calls of a thread do not overlap: the last one that begins before the end of inside, and
        // its predecessors as far as they reach in.
        auto at = std::lower_bound(lockers.begin(), lockers.end(), launch.inside.end,
                                   [&](HostRow row, TimeNs t) { return tree.range(row).begin < t; });
        for (; at != lockers.begin() && tree.range(*std::prev(at)).end > launch.inside.begin; --at) {
            const HostRow row = *std::prev(at);
            if (static_cast<double>(intersection(tree.range(row), launch.inside).length().v) < needed)
                continue;
            result = {GapCause::DriverLock, tree.event(row)};
            return true;
        }
        return false;
    };
    bool found = false;
    launch.index.threadsOf(trace.threads()[launch.gap.thread.v].process)
        .visitActive(launch.inside, [&](ThreadId thread) {
            found = holdsLock(thread);
            return !found;
        });
    return found;
}

bool graphLaunch(const Launch& launch, LaunchSide& result) { // I4
    if (!launch.isGraph)
        return false;
    const GapIndex::GraphFacts* graph = launch.index.graphOf(launch.gap.next);
    const bool isFirst = graph != nullptr ? graph->firstLaunch == launch.gap.launch
                                          : launch.index.isFirstGraphLaunch(launch.gap.launch);
    const std::int64_t median = graph != nullptr ? graph->medianLaunchNs : launch.medianOfName();
    result.cause = isFirst || launch.isOver(launch.limits().graphUploadFactor, median)
                       ? GapCause::GraphUpload
                       : GapCause::GraphLaunch;
    return true;
}

bool slowCall(const Launch& launch, LaunchSide& result) { // I5
    const auto median = static_cast<double>(launch.medianOfName());
    if (static_cast<double>(launch.call.length().v) <= launch.limits().slowCallFactor * median)
        return false;
    result.cause = GapCause::SlowLaunchCall;
    return true;
}

bool ordinaryCall(const Launch& launch, LaunchSide& result) { // I6
    result.cause = launch.gap.launchBound ? GapCause::LaunchBound : GapCause::LaunchLatency;
    return true;
}

constexpr std::array kRules{pageableCopy, moduleLoad, profilerOverhead, driverLock,
                            graphLaunch,  slowCall,   ordinaryCall};

} // namespace

LaunchSide explainLaunch(const GapIndex& index, const Gap& gap) {
    Launch launch{index, gap, index.events().range(gap.launch), {}, index.trace().nameOf(gap.launch)};
    launch.inside.begin = gap.range.begin + DurationNs{gap.beforeNs};
    launch.inside.end = launch.inside.begin + DurationNs{gap.insideNs};
    launch.isGraph = launch.name.find("GraphLaunch") != std::string_view::npos;
    LaunchSide result;
    for (const auto rule : kRules)
        if (rule(launch, result))
            break;
    return result;
}

} // namespace lacuna::gaps
