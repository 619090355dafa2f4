#include "core/analysis/duration_pattern.h"

#include "core/analysis/sample_statistics.h"
#include "core/trace/sort_rows.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace lacuna {

namespace {

constexpr std::size_t kMostBins = 4'500; // 2^63 ns takes 4,391 of the least width
constexpr double kNoiseFactor = 2;       // standard deviations of counting

double logOf(std::int64_t ns) {
    return std::log(static_cast<double>(std::max<std::int64_t>(ns, 1)));
}

// Width of a bin over log(duration).
double binWidth(std::span<const std::int64_t> sorted, RowPoll& poll) {
    const auto n = static_cast<double>(sorted.size());
    const double middle = logOf(sorted[sorted.size() / 2]);
    double sum = 0, squares = 0;
    for (const std::int64_t ns : sorted) {
        const double off = logOf(ns) - middle;
        sum += off;
        squares += off * off;
        if (!poll.tick())
            break;
    }
    const double deviation = std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)));
    const double quartiles = (logOf(sorted[sorted.size() * 3 / 4]) - logOf(sorted[sorted.size() / 4])) / 1.34;
    const double spread = quartiles > 0 ? std::min(deviation, quartiles) : deviation;
    return std::max(std::log1p(kModeBin), 0.9 * spread * std::pow(n, -0.2) / 2);
}

// Of the smoothed heights: the counts of three bins stand in a height, with 1/2, 1 and 1/2.
bool isBeyondNoise(double peak, double valley) {
    return peak - valley > kNoiseFactor * std::sqrt(0.75 * (peak + valley));
}

// Bins where one mode ends and the next begins, ascending; none for one mode.
std::vector<std::size_t> valleysOf(const std::vector<double>& heights, double leastPeak) {
    std::vector<std::size_t> valleys;
    double peak = 0, lowest = 0; // of the mode that is open; lowest: since its peak
    std::size_t lowestAt = 0;
    for (std::size_t bin = 0; bin < heights.size(); ++bin) {
        const double height = heights[bin];
        if (height < lowest || peak == 0) {
            lowest = height;
            lowestAt = bin;
        }
        const double lower = std::min(peak, height);
        const bool isRise = lower >= leastPeak && lowest < lower / 2 && isBeyondNoise(lower, lowest);
        if (isRise) {
            valleys.push_back(lowestAt);
            peak = lowest = height;
            lowestAt = bin;
        } else if (height > peak) {
            peak = lowest = height;
            lowestAt = bin;
        }
    }
    return valleys;
}

std::vector<double> smoothed(const std::vector<double>& counts) {
    std::vector<double> heights(counts.size(), 0.0);
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        const double left = bin > 0 ? counts[bin - 1] : 0.0;
        const double right = bin + 1 < counts.size() ? counts[bin + 1] : 0.0;
        heights[bin] = counts[bin] + (left + right) / 2;
    }
    return heights;
}

} // namespace

std::vector<DurationMode> durationModes(std::vector<std::int64_t> durations, double leastShare,
                                        const JobControl& job) {
    std::vector<DurationMode> modes;
    RowPoll poll(job);
    if (durations.empty() || !sortRows(durations, poll, std::less<>()))
        return modes;
    const std::vector<std::int64_t>& sorted = durations;
    const auto addMode = [&](std::size_t from, std::size_t to) {
        if (from < to)
            modes.push_back({sorted[from + (to - from - 1) / 2], to - from});
    };
    if (sorted.size() < kLeastForModes) {
        addMode(0, sorted.size());
        return modes;
    }
    const double width = binWidth(sorted, poll), least = logOf(sorted.front());
    const auto binOf = [&](std::int64_t ns) {
        return std::min(kMostBins - 1, static_cast<std::size_t>((logOf(ns) - least) / width));
    };
    std::vector<double> counts(binOf(sorted.back()) + 1, 0.0);
    for (const std::int64_t ns : sorted) {
        if (!poll.tick())
            return modes;
        counts[binOf(ns)] += 1;
    }
    const double share = leastShare * static_cast<double>(sorted.size());
    std::size_t from = 0;
    for (const std::size_t valley : valleysOf(smoothed(counts), std::max(2.0, share))) {
        const auto end = std::partition_point(sorted.begin(), sorted.end(),
                                              [&](std::int64_t ns) { return binOf(ns) < valley; });
        const auto to = static_cast<std::size_t>(end - sorted.begin());
        addMode(from, to);
        from = to;
    }
    addMode(from, sorted.size());
    return modes;
}

DurationPattern durationPattern(std::span<const std::int64_t> inOrder, const JobControl& job) {
    DurationPattern pattern;
    if (inOrder.empty())
        return pattern;
    if (inOrder.size() >= kLeastForDrift)
        if (const Drift line = driftOf(inOrder); line.first > 0)
            pattern.drift = line.fit >= kLeastFitOfDrift ? line.change() : 0.0;
    pattern.modes = durationModes({inOrder.begin(), inOrder.end()}, kModeShare, job);
    return pattern;
}

} // namespace lacuna
