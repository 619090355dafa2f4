#pragma once
// Time in Lacuna: signed 64-bit nanoseconds since the time zero of the trace (core/trace/trace.h says which
// that is). Never a double, never unsigned: host rows may lie before time zero, and an epoch-sized double
// of microseconds has steps of 0.25 us.

#include <compare>
#include <cstdint>
#include <limits>

namespace lacuna {

struct DurationNs {
    std::int64_t v = 0;
    friend auto operator<=>(const DurationNs&, const DurationNs&) = default;
};

struct TimeNs {
    std::int64_t v = 0;
    friend auto operator<=>(const TimeNs&, const TimeNs&) = default;
};

// Sums of durations over the rows of a hostile file may pass 2^63: the limit is as good an answer as any.
constexpr std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum))
        return sum;
    return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

constexpr DurationNs operator-(TimeNs a, TimeNs b) {
    return {a.v - b.v};
}
constexpr TimeNs operator+(TimeNs t, DurationNs d) {
    return {t.v + d.v};
}
constexpr TimeNs operator-(TimeNs t, DurationNs d) {
    return {t.v - d.v};
}
constexpr DurationNs operator+(DurationNs a, DurationNs b) {
    return {a.v + b.v};
}
constexpr DurationNs operator-(DurationNs a, DurationNs b) {
    return {a.v - b.v};
}

// Half open: [begin, end). Empty when begin == end.
struct TimeRange {
    TimeNs begin, end;
    constexpr DurationNs length() const { return end - begin; }
    constexpr bool isEmpty() const { return end <= begin; }
    constexpr bool contains(TimeNs t) const { return begin <= t && t < end; }
    friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

// The common part; empty (begin == end) when the ranges do not overlap.
constexpr TimeRange intersection(TimeRange a, TimeRange b) {
    const TimeNs begin = a.begin < b.begin ? b.begin : a.begin;
    const TimeNs end = a.end < b.end ? a.end : b.end;
    return end < begin ? TimeRange{begin, begin} : TimeRange{begin, end};
}

} // namespace lacuna
