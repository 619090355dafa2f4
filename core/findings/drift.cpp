// One kernel in one shape whose time changes from launch to launch: clocks, thermals, or growing data.

#include "core/analysis/sample_statistics.h"
#include "core/base/text_format.h"
#include "core/findings/builtin.h"
#include "core/import/launch_configs.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace lacuna::findings {

namespace {

struct LaunchSeries {
    std::vector<EventId> launches; // by start
};

std::map<std::pair<DeviceId, StringId>, LaunchSeries> seriesOfWindow(const FindingContext& context,
                                                                     JobControl& job) {
    std::map<std::pair<DeviceId, StringId>, LaunchSeries> series;
    RowPoll poll(job);
    for (const Strip& strip : context.trace.strips()) {
        const Lane& lane = context.trace.lane(strip.lane);
        if (lane.kind != LaneKind::GpuStream)
            continue;
        for (EventId e = strip.first; e < strip.last && poll.tick(); ++e.v)
            if (context.events().kind[e.v] == EventKind::Kernel && context.startsInWindow(e))
                series[{lane.device, context.events().name[e.v]}].launches.push_back(e);
    }
    for (auto& [key, one] : series)
        if (!sortRows(one.launches, poll, [&](EventId a, EventId b) {
                return context.events().beginNs[a.v] < context.events().beginNs[b.v];
            }))
            break;
    return series;
}

// Whether launches spread over the series have one grid and block; none: the file does not tell.
std::optional<bool> haveOneShape(const FindingContext& context, const std::vector<EventId>& launches) {
    constexpr std::size_t kSampled = 16;
    if (context.details == nullptr)
        return std::nullopt;
    std::optional<LaunchConfig> first;
    for (std::size_t s = 0; s < kSampled; ++s) {
        const EventId launch = launches[s * (launches.size() - 1) / (kSampled - 1)];
        const auto details = context.details->read({context.events().source[launch.v]});
        if (!details)
            return std::nullopt;
        const LaunchConfig config = launchConfigOf(*details);
        if (config == LaunchConfig{})
            return std::nullopt;
        if (first && !(config == *first))
            return false;
        first = config;
    }
    return true;
}

} // namespace

Finding drift(const FindingContext& context, JobControl& job) {
    constexpr std::size_t kShownSeries = 3, kNameLength = 70;
    Finding finding;
    const auto least = static_cast<std::size_t>(std::max(16.0, context.threshold(Threshold::DriftLaunches)));
    RowPoll poll(job);
    std::size_t looked = 0, otherShapes = 0, unknownShapes = 0;
    for (const auto& [key, series] : seriesOfWindow(context, job)) {
        if (series.launches.size() < least)
            continue;
        ++looked;
        std::vector<std::int64_t> lengths;
        lengths.reserve(series.launches.size());
        for (const EventId launch : series.launches) {
            if (!poll.tick())
                return finding;
            lengths.push_back(context.events().duration(launch).v);
        }
        const Drift fitted = driftOf(lengths);
        if (std::fabs(fitted.change()) < context.threshold(Threshold::DriftShare) ||
            fitted.fit < context.threshold(Threshold::DriftFit))
            continue;
        const std::optional<bool> oneShape = haveOneShape(context, series.launches);
        if (oneShape == false) {
            ++otherShapes;
            continue;
        }
        unknownShapes += oneShape ? 0U : 1U;
        finding.state = FindingState::Found;
        if (finding.supports.size() >= kShownSeries)
            continue;
        const auto percent = static_cast<int>(std::lround(std::fabs(fitted.change()) * 100));
        finding.supports.push_back(withRows(
            context,
            rowEvidence(context, series.launches.back(),
                        std::string(fitted.change() < 0 ? "\u2212" : "+") + std::to_string(percent) +
                            " % drift: " + durationText(std::llround(fitted.first)) + " to " +
                            durationText(std::llround(fitted.last)) + " over " +
                            countOf(series.launches.size(), "launch") + " of " +
                            elideMiddle(context.trace.strings().view(key.second), kNameLength) + "."),
            series.launches));
    }
    if (looked == 0) {
        finding.state = FindingState::Unknown;
        finding.suggests = "No kernel was launched " + std::to_string(least) + " times or more.";
        return finding;
    }
    if (finding.state != FindingState::Found) {
        finding.suggests = "No kernel gets slower or faster from launch to launch.";
        return finding;
    }
    finding.suggests = "A kernel's time changes steadily in the same shape: clocks or thermals?";
    if (unknownShapes != 0)
        finding.against.push_back(
            plainEvidence("The file does not tell the shapes: growing work would look the same."));
    finding.against.push_back(plainEvidence(
        "Data that grows, as a cache of keys and values does, lengthens kernels in one shape too."));
    finding.tests.emplace_back("Watch the clocks (nvidia-smi dmon) while it runs, or lock them, and compare "
                               "medians of repeated runs.");
    return finding;
}

} // namespace lacuna::findings
