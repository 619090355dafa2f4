#include "core/view/time_axis.h"

#include "core/analysis/steps.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <cstdlib>

namespace lacuna {

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000, kMinuteS = 60, kHourS = 3'600, kDayS = 86'400;
constexpr std::array<std::string_view, kTimeBases.size()> kBaseNames{"trace_start", "step_start", "selection",
                                                                     "wall_clock"};
constexpr std::string_view kThin = "\u2009";

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

std::string padded(std::int64_t v, std::size_t digits) {
    std::string text = std::to_string(v);
    return text.size() < digits ? std::string(digits - text.size(), '0') + text : text;
}

// Of days since 1970-01-01; the algorithm of H. Hinnant, "chrono-compatible low-level date algorithms".
std::string dateText(std::int64_t days) {
    constexpr std::int64_t kEraDays = 146'097, kEraYears = 400, kToMarch = 719'468;
    const std::int64_t z = days + kToMarch, era = floorDiv(z, kEraDays), day = z - era * kEraDays;
    const std::int64_t year = (day - day / 1'460 + day / 36'524 - day / 146'096) / 365;
    const std::int64_t ofYear = day - (365 * year + year / 4 - year / 100), month = (5 * ofYear + 2) / 153;
    const std::int64_t ofMonth = ofYear - (153 * month + 2) / 5 + 1;
    const std::int64_t m = month < 10 ? month + 3 : month - 9;
    return padded(year + era * kEraYears + (m <= 2 ? 1 : 0), 4) + "-" + padded(m, 2) + "-" +
           padded(ofMonth, 2);
}

DurationNs shown(TimeNs t, const TimeAxis& axis) {
    return {saturatingAdd(t.v, axis.shiftNs())};
}

} // namespace

std::string_view timeBaseName(TimeBase base) {
    return kBaseNames[static_cast<std::size_t>(base)];
}

std::optional<TimeBase> timeBaseOf(std::string_view name) {
    const auto at = std::find(kBaseNames.begin(), kBaseNames.end(), name);
    return at == kBaseNames.end()
               ? std::nullopt
               : std::optional(kTimeBases[static_cast<std::size_t>(at - kBaseNames.begin())]);
}

std::int64_t TimeAxis::shiftNs() const {
    return isWall() ? saturatingAdd(unixNs, zoneS * kSecondNs) : -zero.v;
}

TimeAxis axisOfStep(const Trace& trace, const Steps& steps, TimeNs at) {
    const auto begin = [&trace](EventId step) { return trace.events().range(step).begin; };
    auto after = std::ranges::upper_bound(steps.events, at, {}, begin);
    if (after == steps.events.begin()) {
        if (steps.events.empty())
            return {};
        ++after; // before the first step: counted from it, negative
    }
    return {TimeBase::StepStart, begin(*(after - 1)), static_cast<std::size_t>(after - steps.events.begin()),
            0, 0};
}

TimeAxis axisOf(const Trace& trace, TimeBase base, TimeNs zero, std::int32_t zoneS) {
    switch (base) {
    case TimeBase::StepStart:
        return axisOfStep(trace, findSteps(trace), zero);
    case TimeBase::SelectionStart:
        return {base, zero, 0, 0, 0};
    case TimeBase::WallClock:
        if (trace.facts().baseNs)
            return {base, {}, 0, *trace.facts().baseNs, zoneS};
        break;
    case TimeBase::TraceStart:
        break;
    }
    return {};
}

std::string zoneName(std::int32_t zoneS) {
    if (zoneS == 0)
        return "UTC";
    const std::int64_t size = std::abs(static_cast<std::int64_t>(zoneS));
    return std::string("UTC") + (zoneS < 0 ? "-" : "+") + padded(size / kHourS, 2) + ":" +
           padded(size % kHourS / kMinuteS, 2);
}

std::string axisTitle(const TimeAxis& axis) {
    switch (axis.base) {
    case TimeBase::StepStart:
        return "since the start of step " + std::to_string(axis.step);
    case TimeBase::SelectionStart:
        return "since the selection";
    case TimeBase::WallClock:
        return "wall clock, " + zoneName(axis.zoneS);
    case TimeBase::TraceStart:
        break;
    }
    return "since trace start";
}

std::string clockText(std::int64_t shownNs, int decimals) {
    constexpr std::size_t kGroup = 3, kDigits = 9;
    const std::int64_t seconds = floorDiv(shownNs, kSecondNs),
                       ofDay = seconds - floorDiv(seconds, kDayS) * kDayS;
    std::string text = padded(ofDay / kHourS, 2) + ":" + padded(ofDay % kHourS / kMinuteS, 2) + ":" +
                       padded(ofDay % kMinuteS, 2);
    const std::string fraction = padded(shownNs - seconds * kSecondNs, kDigits);
    for (std::size_t i = 0; i < static_cast<std::size_t>(decimals); i += kGroup)
        text += (i == 0 ? std::string(".") : std::string(kThin)) + fraction.substr(i, kGroup);
    return text;
}

std::string timeText(TimeNs t, const TimeAxis& axis) {
    constexpr int kMicroseconds = 6;
    return axis.isWall() ? clockText(shown(t, axis).v, kMicroseconds) : formatDuration(shown(t, axis));
}

std::string exactTimeText(TimeNs t, const TimeAxis& axis) {
    if (!axis.isWall())
        return formatExact(shown(t, axis));
    constexpr int kNanoseconds = 9;
    const std::int64_t ns = shown(t, axis).v;
    return dateText(floorDiv(ns, kDayS * kSecondNs)) + " " + clockText(ns, kNanoseconds) + " " +
           zoneName(axis.zoneS);
}

std::string timeInUnit(TimeNs t, const TimeAxis& axis, TimeUnit unit, int decimals) {
    return axis.isWall() ? timeText(t, axis) : formatIn(shown(t, axis), unit, decimals);
}

std::string rangeText(TimeRange range, const TimeAxis& axis) {
    constexpr std::string_view kDash = "\u2013";
    if (axis.isWall())
        return timeText(range.begin, axis) + std::string(kDash) + timeText(range.end, axis);
    const DurationNs begin = shown(range.begin, axis), end = shown(range.end, axis);
    const TimeUnit unit = unitFor({std::max(std::abs(begin.v), std::abs(end.v))});
    const int decimals = unit == TimeUnit::Ns ? 0 : 3;
    return formatIn(begin, unit, decimals) + std::string(kDash) + formatIn(end, unit, decimals) + " " +
           std::string(unitName(unit));
}

} // namespace lacuna
