#pragma once
// Description of a set of numbers as pandas' describe() gives it: sample deviation (n - 1 below), quartiles
// by linear interpolation between neighbours.

#include <cstddef>
#include <limits>
#include <vector>

namespace lacuna {

struct Distribution {
    std::size_t count = 0;
    // NaN where there is no value; the deviation also of a single one.
    double mean = std::numeric_limits<double>::quiet_NaN(), deviation = mean, min = mean,
           lowerQuartile = mean, median = mean, upperQuartile = mean, max = mean;
};

Distribution distributionOf(std::vector<double> values); // O(n)

} // namespace lacuna
