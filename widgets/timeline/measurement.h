#pragma once
// What lies between two events: by every pair of their edges, as numbers and as words.

#include "core/trace/trace.h"

#include <QString>

namespace lacuna::ui {

// Between two events, in order of their begin.
struct Measurement {
    EventId first, second;
    DurationNs startToStart, endToStart, startToEnd, endToEnd; // of the first to the second; signed
    TimeRange range; // what lies between: end to start where they do not overlap, else start to start
    bool isGap() const { return endToStart.v > 0; }
    friend bool operator==(const Measurement&, const Measurement&) = default;
};
Measurement measured(const Trace& trace, EventId a, EventId b);

// "end to start 2.395 ms, start to start 2.412 ms, end to end 2.500 ms"
QString measurementText(const Measurement& m);
QString signedDuration(DurationNs duration);

} // namespace lacuna::ui
