#include "core/analysis/counter_mean.h"

#include <algorithm>

namespace lacuna {

std::optional<CounterMean> counterMean(const CounterTrack& counter, TimeRange range) {
    const auto& times = counter.timeNs;
    const std::size_t samples = times.size();
    // The sample that holds at the start of the range: the last at or before it.
    auto at =
        static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), range.begin.v) - times.begin());
    at = at == 0 ? 0 : at - 1;
    CounterMean result;
    double sum = 0;
    for (std::size_t i = at; i < samples && times[i] < range.end.v; ++i) {
        const std::int64_t from = std::max(times[i], range.begin.v);
        const std::int64_t to = i + 1 < samples ? std::min(times[i + 1], range.end.v) : range.end.v;
        if (to <= from)
            continue;
        const double value = counter.value[i];
        result.least = result.knownNs == 0 ? value : std::min(result.least, value);
        result.most = result.knownNs == 0 ? value : std::max(result.most, value);
        result.knownNs += to - from;
        sum += value * static_cast<double>(to - from);
    }
    if (result.knownNs == 0)
        return std::nullopt;
    result.mean = sum / static_cast<double>(result.knownNs);
    return result;
}

} // namespace lacuna
