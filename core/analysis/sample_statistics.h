#pragma once
// What a set of durations looks like: the usual figures, a histogram, outliers and drift. Modes:
// duration_pattern.h.

#include "core/base/time.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lacuna {

// Two definitions of median and p95 are in use; each figure is shown with its definition's name.
enum class QuantileDefinition : std::uint8_t {
    Usual,     // median: mean of the two middle values; p95: nearest rank, the ceil(0.95 n)-th
    Benchmark, // timing loops in Python: t[n / 2] and t[int(0.95 * n)] of the sorted list (features.md B16)
};
const char* quantileTitle(QuantileDefinition definition); // "median of the two middle values, nearest rank"

struct SampleStatistics {
    std::size_t count = 0;
    double mean = 0, median = 0, p95 = 0;
    double deviation = 0; // sample (n - 1); 0 for one value
    std::int64_t min = 0, max = 0;
};

// All zero for no values. O(n log n).
SampleStatistics sampleStatistics(std::vector<std::int64_t> values,
                                  QuantileDefinition definition = QuantileDefinition::Usual);

struct HistogramBin {
    std::int64_t begin = 0, end = 0; // [begin, end); the last includes its end
    std::size_t count = 0;
};
// Bins of equal width over min..max; one bin where all values are equal, none without values.
std::vector<HistogramBin> histogramOf(std::span<const std::int64_t> values, std::size_t bins);

// Indexes of values at least `factor` times the median, or at most the median / factor.
std::vector<std::size_t> outliersOf(std::span<const std::int64_t> values, double factor);

struct Drift {
    double first = 0, last = 0; // of the line at the first and the last value
    double fit = 0;             // share of the spread that the line explains, at most 1
    double change() const { return first > 0 ? last / first - 1 : 0; }
};
inline constexpr double kLeastFitOfDrift = 0.5; // below it there is no drift, unless the user says otherwise
// Tukey's resistant line over the position in the list: through the medians of the first and the last third,
// so that single outliers do not move it. fit: 1 - (median distance from the line / median distance from the
// median) squared, at least 0. No drift (fit 0) for fewer than three values and where half of them are equal.
// O(n).
Drift driftOf(std::span<const std::int64_t> values);

} // namespace lacuna
