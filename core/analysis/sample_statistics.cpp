#include "core/analysis/sample_statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lacuna {

const char* quantileTitle(QuantileDefinition definition) {
    return definition == QuantileDefinition::Usual
               ? "median: mean of the two middle values; p95: nearest rank"
               : "benchmark loops: t[n/2] and t[int(0.95 n)]";
}

namespace {

double toDouble(std::int64_t value) {
    return static_cast<double>(value);
}

double meanOf(std::span<const std::int64_t> values) {
    double sum = 0; // exact up to 2^53 ns, a hundred days
    for (const std::int64_t value : values)
        sum += toDouble(value);
    return sum / static_cast<double>(values.size());
}

double sampleDeviation(std::span<const std::int64_t> values, double mean) {
    if (values.size() < 2)
        return 0;
    double squares = 0;
    for (const std::int64_t value : values)
        squares += (toDouble(value) - mean) * (toDouble(value) - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double middleOf(std::span<const std::int64_t> sorted) {
    const std::size_t n = sorted.size();
    return (toDouble(sorted[(n - 1) / 2]) + toDouble(sorted[n / 2])) / 2;
}

} // namespace

SampleStatistics sampleStatistics(std::vector<std::int64_t> values, QuantileDefinition definition) {
    SampleStatistics result;
    const std::size_t n = values.size();
    if (n == 0)
        return result;
    std::sort(values.begin(), values.end());
    result.count = n;
    result.min = values.front();
    result.max = values.back();
    result.mean = meanOf(values);
    result.deviation = sampleDeviation(values, result.mean);
    if (definition == QuantileDefinition::Usual) {
        result.median = middleOf(values);
        result.p95 = toDouble(values[(n * 95 + 99) / 100 - 1]);
    } else {
        result.median = toDouble(values[n / 2]);
        result.p95 = toDouble(values[std::min(n - 1, n * 95 / 100)]);
    }
    return result;
}

std::vector<HistogramBin> histogramOf(std::span<const std::int64_t> values, std::size_t bins) {
    if (values.empty() || bins == 0)
        return {};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const std::int64_t low = *least, high = *most;
    if (low == high)
        return {{low, high, values.size()}};
    const double width = (toDouble(high) - toDouble(low)) / static_cast<double>(bins);
    std::vector<HistogramBin> result(bins);
    for (std::size_t b = 0; b < bins; ++b) {
        result[b].begin = low + std::llround(width * static_cast<double>(b));
        result[b].end = b + 1 == bins ? high : low + std::llround(width * static_cast<double>(b + 1));
    }
    for (const std::int64_t value : values) {
        const auto guess = static_cast<std::size_t>((toDouble(value) - toDouble(low)) / width);
        std::size_t b = std::min(guess, bins - 1);
        while (b > 0 && value < result[b].begin) // edges are rounded
            --b;
        while (b + 1 < bins && value >= result[b].end)
            ++b;
        ++result[b].count;
    }
    return result;
}

// ---- modes

namespace {

constexpr std::size_t kDensityPoints = 256;
constexpr std::size_t kLeastForModes = 8;
constexpr double kValleyShare = 0.5;

struct Density {
    std::array<double, kDensityPoints> at{};
    double low = 0, step = 0;
    double place(std::size_t point) const { return low + step * static_cast<double>(point); }
};

// Values are counted into the grid first: then the sum over the kernel costs the same for any n.
Density densityOf(std::span<const std::int64_t> sorted, double bandwidth) {
    Density density;
    density.low = toDouble(sorted.front()) - 3 * bandwidth;
    density.step = (toDouble(sorted.back()) + 3 * bandwidth - density.low) / (kDensityPoints - 1);
    std::array<double, kDensityPoints> counts{};
    for (const std::int64_t value : sorted) {
        const double place = (toDouble(value) - density.low) / density.step;
        counts[std::min(static_cast<std::size_t>(std::lround(place)), kDensityPoints - 1)] += 1;
    }
    for (std::size_t i = 0; i < kDensityPoints; ++i)
        for (std::size_t k = 0; k < kDensityPoints; ++k) {
            if (counts[k] == 0)
                continue;
            const double z = (density.place(i) - density.place(k)) / bandwidth;
            density.at[i] += counts[k] * std::exp(-z * z / 2);
        }
    return density;
}

// Places of valleys that part two peaks.
std::vector<double> deepValleys(const Density& density) {
    std::vector<double> valleys;
    double peak = density.at[0], valley = density.at[0];
    std::size_t valleyAt = 0;
    bool descending = false;
    for (std::size_t i = 1; i < kDensityPoints; ++i) {
        const double value = density.at[i];
        if (!descending) {
            descending = value < peak * kValleyShare;
            peak = std::max(peak, value);
            valley = value;
            valleyAt = i;
        } else if (value < valley) {
            valley = value;
            valleyAt = i;
        } else if (valley < value * kValleyShare) {
            valleys.push_back(density.place(valleyAt));
            peak = value;
            descending = false;
        }
    }
    return valleys;
}

} // namespace

std::vector<Mode> modesOf(std::vector<std::int64_t> values, double leastShare) {
    if (values.empty())
        return {};
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    const double deviation = sampleDeviation(values, meanOf(values));
    const double quartiles = (toDouble(values[n * 3 / 4]) - toDouble(values[n / 4])) / 1.34;
    const double spread = quartiles > 0 ? std::min(deviation, quartiles) : deviation;
    const Mode whole{middleOf(values), n};
    if (n < kLeastForModes || spread <= 0)
        return {whole};
    const double bandwidth = 0.9 * spread * std::pow(static_cast<double>(n), -0.2); // Silverman 1986, 3.31
    std::vector<Mode> modes;
    std::size_t first = 0;
    const auto close = [&](std::size_t last) {
        if (static_cast<double>(last - first) >= leastShare * static_cast<double>(n) && last > first)
            modes.push_back({middleOf(std::span(values).subspan(first, last - first)), last - first});
        first = last;
    };
    for (const double valley : deepValleys(densityOf(values, bandwidth))) {
        const auto at =
            std::lower_bound(values.begin(), values.end(), valley,
                             [](std::int64_t value, double place) { return toDouble(value) < place; });
        close(static_cast<std::size_t>(at - values.begin()));
    }
    close(n);
    return modes.size() < 2 ? std::vector<Mode>{whole} : modes;
}

std::vector<std::size_t> outliersOf(std::span<const std::int64_t> values, double factor) {
    std::vector<std::size_t> outliers;
    if (values.size() < 3 || factor <= 0)
        return outliers;
    std::vector<std::int64_t> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const double median = middleOf(sorted);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (toDouble(values[i]) >= median * factor || toDouble(values[i]) * factor <= median)
            outliers.push_back(i);
    return outliers;
}

Drift driftOf(std::span<const std::int64_t> values) {
    Drift drift;
    const std::size_t n = values.size();
    if (n == 0)
        return drift;
    const double mean = meanOf(values), middle = static_cast<double>(n - 1) / 2;
    double along = 0, squares = 0, places = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = static_cast<double>(i) - middle, y = toDouble(values[i]) - mean;
        along += x * y;
        places += x * x;
        squares += y * y;
    }
    const double slope = n < 3 ? 0 : along / places;
    drift.first = mean - slope * middle;
    drift.last = mean + slope * middle;
    drift.fit = n < 3 || squares <= 0 ? 0 : along * along / (places * squares);
    return drift;
}

} // namespace lacuna
