#pragma once
// How equal the repetitions of one piece of work are: whether they drift over time, and whether they fall
// into several modes (the same kernel at two clocks, or two problems behind one name).

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lacuna {

struct DurationMode {
    std::int64_t medianNs = 0; // lower median of its members
    std::uint64_t count = 0;
    friend bool operator==(const DurationMode&, const DurationMode&) = default;
};

struct DurationPattern {
    // Lower median of the last third over that of the first third, minus 1: 0.02 is 2 % slower at the end.
    // None below kLeastForDrift repetitions, or where the first median is 0.
    std::optional<double> drift;
    std::vector<DurationMode> modes; // by duration; at least one unless there are no durations
    bool isMultimodal() const { return modes.size() > 1; }
};

inline constexpr std::size_t kLeastForDrift = 9, kLeastForModes = 12;
inline constexpr double kModeBin = 0.01;   // width of a bin, of the duration
inline constexpr double kModeShare = 0.05; // of all, that the peak of a mode holds at least

// Of durations in the order in which they happened, all >= 0.
// Modes: a histogram over log(duration), smoothed over three bins (1/2, 1, 1/2). A valley that is lower than
// half of the lower peak beside it parts two modes, so peaks less than 4 % apart are one: less is noise of
// clocks and caches. O(n log n).
DurationPattern durationPattern(std::span<const std::int64_t> inOrder);

} // namespace lacuna
