#include "core/analysis/duration_pattern.h"

#include <algorithm>
#include <cmath>

namespace lacuna {

namespace {

constexpr std::size_t kMostBins = 4'500; // 2^63 ns takes 4,391

std::int64_t medianOfThird(std::vector<std::int64_t> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::optional<double> driftOf(std::span<const std::int64_t> inOrder) {
    if (inOrder.size() < kLeastForDrift)
        return std::nullopt;
    const std::size_t third = inOrder.size() / 3;
    const auto first = inOrder.first(third), last = inOrder.last(third);
    const std::int64_t before = medianOfThird({first.begin(), first.end()});
    if (before <= 0)
        return std::nullopt;
    return static_cast<double>(medianOfThird({last.begin(), last.end()})) / static_cast<double>(before) - 1.0;
}

std::size_t binOf(std::int64_t ns, std::int64_t least) {
    const double ratio = static_cast<double>(std::max<std::int64_t>(ns, 1)) /
                         static_cast<double>(std::max<std::int64_t>(least, 1));
    return std::min(kMostBins - 1, static_cast<std::size_t>(std::log(ratio) / std::log1p(kModeBin)));
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
        const bool isRise = height >= leastPeak && peak >= leastPeak && lowest < std::min(peak, height) / 2;
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

} // namespace

DurationPattern durationPattern(std::span<const std::int64_t> inOrder) {
    DurationPattern pattern;
    if (inOrder.empty())
        return pattern;
    pattern.drift = driftOf(inOrder);
    std::vector<std::int64_t> sorted(inOrder.begin(), inOrder.end());
    std::sort(sorted.begin(), sorted.end());
    const auto addMode = [&](std::size_t from, std::size_t to) {
        if (from < to)
            pattern.modes.push_back({sorted[from + (to - from - 1) / 2], to - from});
    };
    if (sorted.size() < kLeastForModes) {
        addMode(0, sorted.size());
        return pattern;
    }
    const std::int64_t least = sorted.front();
    std::vector<double> counts(binOf(sorted.back(), least) + 1, 0.0);
    for (const std::int64_t ns : sorted)
        counts[binOf(ns, least)] += 1;
    std::vector<double> heights(counts.size(), 0.0);
    for (std::size_t bin = 0; bin < counts.size(); ++bin)
        heights[bin] =
            counts[bin] +
            ((bin > 0 ? counts[bin - 1] : 0.0) + (bin + 1 < counts.size() ? counts[bin + 1] : 0.0)) / 2;
    const double share = kModeShare * static_cast<double>(sorted.size());
    std::size_t from = 0;
    for (const std::size_t valley : valleysOf(heights, std::max(2.0, share))) {
        const auto end = std::partition_point(sorted.begin(), sorted.end(),
                                              [&](std::int64_t ns) { return binOf(ns, least) < valley; });
        const auto to = static_cast<std::size_t>(end - sorted.begin());
        addMode(from, to);
        from = to;
    }
    addMode(from, sorted.size());
    return pattern;
}

} // namespace lacuna
