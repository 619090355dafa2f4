#include "core/analysis/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lacuna {

namespace {

// Value at `share` of the way from the first to the last in order.
double valueAt(std::vector<double>& values, double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(values.begin(), at, values.end());
    const double left = *at;
    if (below + 1 == values.size())
        return left;
    const double right = *std::min_element(at + 1, values.end());
    return left + (right - left) * (place - static_cast<double>(below));
}

} // namespace

Distribution distributionOf(std::vector<double> values) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    Distribution result{values.size(), kNone, kNone, kNone, kNone, kNone, kNone, kNone};
    if (values.empty())
        return result;
    long double sum = 0, squares = 0;
    for (const double value : values)
        sum += static_cast<long double>(value);
    const long double mean = sum / static_cast<long double>(values.size());
    for (const double value : values)
        squares += (static_cast<long double>(value) - mean) * (static_cast<long double>(value) - mean);
    result.mean = static_cast<double>(mean);
    if (values.size() > 1)
        result.deviation =
            static_cast<double>(std::sqrt(squares / static_cast<long double>(values.size() - 1)));
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    result.min = *least;
    result.max = *most;
    result.lowerQuartile = valueAt(values, 0.25);
    result.median = valueAt(values, 0.5);
    result.upperQuartile = valueAt(values, 0.75);
    return result;
}

} // namespace lacuna
