#pragma once
// How equal the repetitions of one piece of work are: whether they drift over time, and whether they fall
// into several modes (the same kernel at two clocks, or two problems behind one name). One meaning for
// kernels, steps and findings.

#include "core/base/job_control.h"

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
    // Change from the first to the last repetition: 0.02 is 2 % slower at the end (driftOf() in
    // sample_statistics.h); 0 where no straight line explains it. None below kLeastForDrift repetitions, or
    // where the line begins at 0.
    std::optional<double> drift;
    std::vector<DurationMode> modes; // by duration; at least one unless there are no durations
    bool isMultimodal() const { return modes.size() > 1; }
};

inline constexpr std::size_t kLeastForDrift = 9, kLeastForModes = 8;
inline constexpr double kModeBin = 0.01;   // least width of a bin, of the duration
inline constexpr double kModeShare = 0.05; // of all, that the peak of a mode holds at least

// Modes of durations >= 0 in any order: a histogram over log(duration), smoothed over three bins (1/2, 1,
// 1/2). A bin is half of Silverman's bandwidth (1986, 3.31) wide, at least kModeBin: less is noise of clocks
// and caches. A valley parts two modes where it is lower than half of the lower peak beside it and the
// difference is more than two standard deviations of counting. A peak holds at least `leastShare` of all. One
// mode below kLeastForModes durations. O(n log n); a cancelled job ends it early, with modes that mean
// nothing.
std::vector<DurationMode> durationModes(std::vector<std::int64_t> durations, double leastShare,
                                        const JobControl& job = JobControl());

// Of durations in the order in which they happened, all >= 0. O(n log n); as above when cancelled.
DurationPattern durationPattern(std::span<const std::int64_t> inOrder, const JobControl& job = JobControl());

} // namespace lacuna
