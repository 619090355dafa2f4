#include "core/analysis/sample_statistics.h"

#include <algorithm>
#include <cmath>

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

namespace {

double medianOf(std::vector<double> values) {
    const std::size_t n = values.size();
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(n / 2);
    std::nth_element(values.begin(), upper, values.end());
    return n % 2 == 1 ? *upper : (*std::max_element(values.begin(), upper) + *upper) / 2;
}

// Median distance of the values from a line over their positions.
double medianDistance(std::span<const std::int64_t> values, double first, double slope) {
    std::vector<double> distances;
    distances.reserve(values.size());
    for (const std::int64_t value : values)
        distances.push_back(
            std::fabs(toDouble(value) - first - slope * static_cast<double>(distances.size())));
    return medianOf(std::move(distances));
}

} // namespace

Drift driftOf(std::span<const std::int64_t> values) {
    Drift drift;
    const std::size_t n = values.size(), third = n / 3;
    if (n == 0)
        return drift;
    drift.first = drift.last = meanOf(values);
    if (third == 0)
        return drift;
    const auto medianOfThird = [](std::span<const std::int64_t> part) {
        return medianOf({part.begin(), part.end()});
    };
    const double before = medianOfThird(values.first(third)), after = medianOfThird(values.last(third));
    const double place =
        static_cast<double>(third - 1) / 2; // of the first median; the last: as far from the end
    const auto end = static_cast<double>(n - 1);
    const double slope = (after - before) / (end - 2 * place);
    drift.first = before - slope * place;
    drift.last = after + slope * place;
    const double level = medianOf({values.begin(), values.end()});
    if (const double spread = medianDistance(values, level, 0); spread > 0) {
        const double left = medianDistance(values, drift.first, slope) / spread;
        drift.fit = std::max(0.0, 1 - left * left);
    }
    return drift;
}

} // namespace lacuna
