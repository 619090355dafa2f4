#include "core/analysis/capture_window.h"

#include "core/analysis/gap_names.h"
#include "core/base/text_format.h"

#include <charconv>
#include <set>

namespace lacuna {

namespace {

// Of the start, as recorded; 0 without.
std::int64_t recordedDelayNs(const Trace& trace) {
    constexpr std::int64_t kNsPerMs = 1'000'000, kMostMs = 1'000'000'000;
    for (const auto& [key, value] : trace.facts().metadata) {
        std::int64_t ms = 0;
        if (key == "start_delay_ms" &&
            std::from_chars(value.data(), value.data() + value.size(), ms).ec == std::errc{} && ms > 0 &&
            ms <= kMostMs)
            return ms * kNsPerMs;
    }
    return 0;
}

void collectRanges(const Trace& trace, CaptureWindow& window) {
    std::vector<bool> isKnown(trace.strings().size(), false);
    std::set<std::string> names;
    for (const Strip& strip : trace.strips()) {
        const LaneKind kind = trace.lane(strip.lane).kind;
        if (kind != LaneKind::Range && kind != LaneKind::Steps)
            continue;
        for (EventId e = strip.first; e < strip.last && names.size() <= kMostSeenRanges; ++e.v) {
            const StringId name = trace.events().name[e.v];
            if (isKnown[name.v])
                continue;
            isKnown[name.v] = true;
            names.insert(elideMiddle(gaps::withoutNumbers(trace.strings().view(name)), 40));
        }
    }
    window.hasMore = names.size() > kMostSeenRanges;
    for (const std::string& name : names)
        if (window.ranges.size() < kMostSeenRanges)
            window.ranges.push_back(name);
}

std::string timesText(const CaptureWindow& window) {
    if (!window.isDelayed)
        return "Window " + formatDuration({window.window.begin.v}) + " to " +
               formatDuration({window.window.end.v}) + " after time zero. ";
    return "Window " + formatIn({window.window.begin.v}, TimeUnit::S, 1) + "\u2013" +
           formatIn({window.window.end.v}, TimeUnit::S, 1) + " s after launch. ";
}

} // namespace

bool isDelayedCapture(const Trace& trace) {
    return recordedDelayNs(trace) > 0;
}

CaptureWindow captureWindow(const Trace& trace) {
    CaptureWindow window;
    window.window = trace.window();
    if (const std::int64_t delayNs = recordedDelayNs(trace); delayNs > 0) {
        window.isDelayed = true;
        if (window.window.begin.v < delayNs)
            window.window = {{window.window.begin.v + delayNs}, {window.window.end.v + delayNs}};
    }
    collectRanges(trace, window);
    return window;
}

std::string captureWindowText(const CaptureWindow& window) {
    std::string text = timesText(window);
    if (window.ranges.empty())
        return text + (window.isDelayed ? "No ranges: phase unverified."
                                        : "No ranges: which phase it covers is not verified.");
    text += "Ranges seen: ";
    for (std::size_t i = 0; i < window.ranges.size(); ++i)
        text += (i == 0 ? "" : ", ") + window.ranges[i];
    return text + (window.hasMore ? ", more." : ".");
}

} // namespace lacuna
