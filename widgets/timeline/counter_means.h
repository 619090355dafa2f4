#pragma once
// Means of counters over the selected time, remembered: a range may hold a million samples, and every frame
// asks for the mean of every lane that it shows.

#include "core/analysis/counter_mean.h"
#include "core/trace/trace.h"
#include "widgets/timeline/role_cache.h"

#include <optional>
#include <vector>

namespace lacuna::ui {

class CounterMeans {
public:
    // None where the range has no value.
    const std::optional<CounterMean>& of(const Trace& trace, CounterId counter, TimeRange range) {
        if (m_bound.bind(trace))
            m_means.clear();
        m_means.resize(trace.counters().size());
        Entry& entry = m_means[counter.v];
        if (!entry.isKnown || entry.range != range)
            entry = {true, range, counterMean(trace.counters()[counter.v], range)};
        return entry.mean;
    }

private:
    struct Entry {
        bool isKnown = false;
        TimeRange range;
        std::optional<CounterMean> mean;
    };
    RoleCache m_bound;          // tells when the trace is another one
    std::vector<Entry> m_means; // by counter
};

} // namespace lacuna::ui
