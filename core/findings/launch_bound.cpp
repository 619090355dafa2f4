// High host time and low device time: the host cannot launch as fast as the device runs.

#include "core/analysis/op_attribution.h"
#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/findings/time_shares.h"
#include "core/trace/row_poll.h"

#include <algorithm>
#include <map>

namespace lacuna::findings {

namespace {

// Self times of all operators of the window, as PyTorch's table sums them; device work counts with its sum.
struct SelfTotals {
    std::int64_t hostNs = 0, deviceNs = 0;
};

SelfTotals selfTotals(const FindingContext& context, JobControl& job) {
    SelfTotals totals;
    const auto attribution = attributeOperators(context.trace, context.tree, job, context.window);
    if (!attribution)
        return totals;
    for (const OperatorTime& row : attribution->rows) {
        totals.hostNs = saturatingAdd(totals.hostNs, row.hostSelfNs);
        totals.deviceNs = saturatingAdd(totals.deviceNs, row.deviceSelfNs);
    }
    return totals;
}

std::size_t launchesOfWindow(const FindingContext& context, JobControl& job) {
    std::size_t launches = 0;
    RowPoll poll(job);
    for (const Strip& strip : context.trace.strips()) {
        if (context.trace.lane(strip.lane).kind != LaneKind::CudaApi)
            continue;
        for (EventId e = strip.first; e < strip.last && poll.tick(); ++e.v)
            launches += context.startsInWindow(e) && gaps::isDeviceLaunch(context.trace.nameOf(e)) ? 1U : 0U;
    }
    return launches;
}

// Share of the idle time in which the launching thread of the next operation was in some recorded row.
struct ThreadUse {
    ThreadId thread;
    std::int64_t usedNs = 0, idleNs = 0;
};
ThreadUse useOfLaunchingThread(const FindingContext& context, const std::vector<WindowGap>& gaps,
                               JobControl& job) {
    std::map<ThreadId, ThreadUse> byThread;
    RowPoll poll(job);
    for (const WindowGap& one : gaps) {
        const Gap& gap = context.gapAnalysis->gap(one.id);
        if (!gap.thread || !poll.tick())
            continue;
        ThreadUse& use = byThread[gap.thread];
        use.thread = gap.thread;
        const TimeRange part = intersection(gap.range, context.window);
        use.idleNs += part.length().v;
        context.tree.visitLeaves(
            gap.thread, part, [&](TimeRange leaf, HostRow row) { use.usedNs += row ? leaf.length().v : 0; });
    }
    ThreadUse most;
    for (const auto& [thread, use] : byThread)
        if (use.idleNs > most.idleNs)
            most = use;
    return most;
}

void addSelfTotals(const FindingContext& context, const TimeShares& shares, std::int64_t idleNs,
                   JobControl& job, Finding& finding) {
    const SelfTotals self = selfTotals(context, job);
    if (self.hostNs <= self.deviceNs)
        return;
    const double headline = 1 - static_cast<double>(self.deviceNs) / static_cast<double>(self.hostNs);
    const double timeline = static_cast<double>(idleNs) / static_cast<double>(shares.whole);
    finding.supports.push_back(withWindow(
        context, plainEvidence("Self CPU " + durationText(self.hostNs) + ", self device " +
                               durationText(self.deviceNs) + ": idle 1 \u2212 device/CPU = " +
                               formatPercent(headline) + "; by the timeline " + formatPercent(timeline) +
                               ". The two sums overlap in time, so the first is only a hint.")));
}

} // namespace

Finding launchBound(const FindingContext& context, JobControl& job) {
    Finding finding;
    const TimeShares shares = timeShares(context, job);
    const std::size_t launches = launchesOfWindow(context, job);
    if (shares.whole == 0 || launches == 0) {
        finding.state = FindingState::Unknown;
        finding.suggests = "The trace has no launches here.";
        return finding;
    }
    const WindowGaps gaps = gapsOfWindow(context);
    finding.costNs = shares.of(TimeShare::Launch);
    const bool isFound = shares.share(TimeShare::Launch) >= context.threshold(Threshold::LaunchShare);
    finding.state = isFound ? FindingState::Found : FindingState::Clear;
    finding.suggests =
        isFound ? "Python or the framework takes longer to launch kernels than the GPU takes to run them."
                : "The host launches ahead of the GPU.";
    std::string rate = perStepText(context, launches);
    finding.supports.push_back(
        withWindow(context, plainEvidence(countOf(launches, "launch") + (rate.empty() ? "" : ", " + rate) +
                                          "; the GPU waited " + durationText(shares.of(TimeShare::Launch)) +
                                          " (" + shareOf(shares.of(TimeShare::Launch), shares.whole) +
                                          ") for late launches.")));
    addSelfTotals(context, shares, gaps.idleNs, job, finding);
    if (const ThreadUse use = useOfLaunchingThread(context, gaps.gaps, job); use.idleNs > 0)
        finding.supports.push_back(
            withWindow(context, plainEvidence("Thread " + context.trace.threadTitle(use.thread) +
                                              " was in recorded work for " + shareOf(use.usedNs, use.idleNs) +
                                              " of the gaps that it ended.")));
    if (!isFound)
        return finding;
    if (shares.longestLaunch)
        finding.supports.push_back(
            gapEvidence(context, shares.longestLaunch, "The longest gap before a late launch."));
    finding.against.push_back(
        plainEvidence("With stacks or shapes recorded the host is slower than without the profiler."));
    finding.tests.emplace_back("Compile: torch.compile(model), or mode=\"reduce-overhead\".");
    finding.tests.emplace_back("Capture the step in a CUDA graph.");
    finding.tests.emplace_back("Use fewer and larger operations: fused optimizers, larger batches.");
    return finding;
}

} // namespace lacuna::findings
