#pragma once
// Which time the axis and every time beside it count from (ux.md section 12). A time in Lacuna stays ns since
// the trace's zero; only what is read from the screen is changed, by these functions.

#include "core/base/text_format.h"
#include "core/base/time.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

class Trace;
struct Steps;

enum class TimeBase : std::uint8_t { TraceStart, StepStart, SelectionStart, WallClock };
inline constexpr std::array kTimeBases{TimeBase::TraceStart, TimeBase::StepStart, TimeBase::SelectionStart,
                                       TimeBase::WallClock};
std::string_view timeBaseName(TimeBase base); // "trace_start", as in workspaces
std::optional<TimeBase> timeBaseOf(std::string_view name);

struct TimeAxis {
    TimeBase base = TimeBase::TraceStart;
    TimeNs zero;             // shown as 0; not of the wall clock
    std::size_t step = 0;    // StepStart: its number, from 1
    std::int64_t unixNs = 0; // WallClock: Unix time of the trace's zero
    std::int32_t zoneS = 0;  // WallClock: seconds east of UTC
    bool isWall() const { return base == TimeBase::WallClock; }
    // ns that are added to a time of the trace to get what is shown.
    std::int64_t shiftNs() const;
    friend bool operator==(const TimeAxis&, const TimeAxis&) = default;
};

// The axis that a view of a trace has stored; since trace start where the trace lacks what the base needs.
TimeAxis axisOf(const Trace& trace, TimeBase base, TimeNs zero, std::int32_t zoneS);
// The same of a step by its number; O(log steps) to find the one that holds or precedes a time.
TimeAxis axisOfStep(const Trace& trace, const Steps& steps, TimeNs at);

// "since trace start", "since the start of step 61", "since the selection", "wall clock, UTC+02:00".
std::string axisTitle(const TimeAxis& axis);
// "UTC", "UTC+05:30".
std::string zoneName(std::int32_t zoneS);

// Four significant digits: "1.098 s"; on the wall clock "14:03:12.345 678" (us).
std::string timeText(TimeNs t, const TimeAxis& axis);
// All digits: "1 098 312 004 ns"; on the wall clock "2026-11-30 14:03:12.345 678 901 UTC+02:00".
std::string exactTimeText(TimeNs t, const TimeAxis& axis);
// For a column of one unit: without the unit; on the wall clock as timeText().
std::string timeInUnit(TimeNs t, const TimeAxis& axis, TimeUnit unit, int decimals);
// "4.500–8.900 ms", both in the unit of the larger; on the wall clock both whole.
std::string rangeText(TimeRange range, const TimeAxis& axis);
// "14:03:12", with 3, 6 or 9 decimals grouped by thin spaces; of ns since the epoch, zone included.
std::string clockText(std::int64_t shownNs, int decimals);

} // namespace lacuna
