// Which one thing limits the run: launches, compute, copies, communication or input, or several together.

#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/findings/time_shares.h"

#include <algorithm>
#include <array>

namespace lacuna::findings {

namespace {

struct Limit {
    TimeShare share;
    std::string_view name, meaning, test;
};

constexpr std::array kLimits = {
    Limit{TimeShare::Launch, "launch-bound", "the GPU waits for the host to launch",
          "Compile the model or capture a CUDA graph: the step gets shorter although the kernels stay the "
          "same."},
    Limit{TimeShare::Compute, "compute-bound", "kernels run",
          "Look at the longest kernels: only faster or fewer ones help."},
    Limit{TimeShare::Copy, "copy-bound", "copies run or hold the host while nothing else does",
          "Pin host memory and copy one step ahead on another stream."},
    Limit{TimeShare::Communication, "communication-bound", "collectives run while no compute does",
          "Run once on a single GPU with the same batch per GPU and compare the step times."},
    Limit{TimeShare::Input, "input-bound", "the GPU waits for data loading",
          "Feed the same batch again and again: the step gets shorter by the loading time."},
};

std::string sharesSentence(const TimeShares& shares) {
    std::array<std::size_t, kTimeShares> order{};
    for (std::size_t s = 0; s < kTimeShares; ++s)
        order[s] = s;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return shares.ns[a] > shares.ns[b]; });
    std::string text;
    for (const std::size_t s : order) {
        if (shares.ns[s] == 0)
            break;
        text += (text.empty() ? "" : ", ") + std::string(timeShareTitle(static_cast<TimeShare>(s))) + " " +
                shareOf(shares.ns[s], shares.whole);
    }
    return text;
}

// "18.0 ms per step: GPU busy 7.0 ms, idle 11.0 ms."
std::string stepSentence(const FindingContext& context) {
    std::int64_t length = 0, busy = 0;
    for (const StepTime& step : context.steps.measured()) {
        length += step.range.length().v;
        busy += step.busyNs;
    }
    const auto count = static_cast<std::int64_t>(context.measuredSteps());
    const TimeUnit unit = unitFor({length / count});
    const auto in = [&](std::int64_t ns) { return formatIn({ns / count}, unit, 1); };
    return in(length) + " " + std::string(unitName(unit)) + " per " + context.steps.meaning + ": GPU busy " +
           in(busy) + ", idle " + in(length - busy) + ".";
}

} // namespace

Finding limiter(const FindingContext& context, JobControl& job) {
    Finding finding;
    const TimeShares shares = timeShares(context, job);
    finding.state = FindingState::Unknown;
    if (shares.whole == 0) {
        finding.suggests = "The trace has no device work here, so nothing tells what limits the run.";
        return finding;
    }
    finding.supports.push_back(withWindow(
        context, plainEvidence("Of " + context.windowTitle + ": " + sharesSentence(shares) + ".")));
    if (context.measuredSteps() != 0)
        finding.supports.push_back(withWindow(context, plainEvidence(stepSentence(context))));
    const double dark = shares.share(TimeShare::Unknown);
    if (dark >= context.threshold(Threshold::LimiterShare)) {
        finding.suggests = "Not known: the trace does not tell why the GPU idles most of the time.";
        return finding;
    }
    finding.state = FindingState::Found;
    const auto* const most =
        std::max_element(kLimits.begin(), kLimits.end(), [&](const Limit& a, const Limit& b) {
            return shares.of(a.share) < shares.of(b.share);
        });
    const double needed = context.threshold(most->share == TimeShare::Compute ? Threshold::ComputeShare
                                                                              : Threshold::LimiterShare);
    if (shares.share(most->share) < needed) {
        finding.suggests = "mixed: " + sharesSentence(shares) + ".";
        finding.costNs = shares.whole - shares.of(TimeShare::Compute);
        finding.tests.emplace_back(
            "Take the largest share beside compute first: it caps what any change to it can save.");
    } else {
        finding.suggests = std::string(most->name) + ": " + std::string(most->meaning) + ", " +
                           shareOf(shares.of(most->share), shares.whole) + " of the time.";
        finding.costNs = shares.of(most->share);
        finding.tests.emplace_back(most->test);
    }
    if (most->share == TimeShare::Launch && shares.longestLaunch)
        finding.supports.push_back(gapEvidence(context, shares.longestLaunch, "The longest of these gaps."));
    if (most->share == TimeShare::Input && shares.longestInput)
        finding.supports.push_back(gapEvidence(context, shares.longestInput, "The longest of these gaps."));
    if (dark > 0)
        finding.against.push_back(withWindow(
            context, plainEvidence(shareOf(shares.of(TimeShare::Unknown), shares.whole) +
                                   " of the time is idle for reasons that the trace does not tell.")));
    finding.against.push_back(plainEvidence(
        "The profiler slows the host: a run that is launch-bound here may be compute-bound without it."));
    return finding;
}

} // namespace lacuna::findings
