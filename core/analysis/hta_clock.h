#pragma once
// Time as Holistic Trace Analysis sees it, and the steps that it cuts a trace by. Used by hta*.cpp only.

#include "core/analysis/hta.h"
#include "core/trace/row_poll.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace lacuna {

// Whole microseconds as HTA makes them; or, where it does not round, starts as its doubles hold them:
// epoch-sized microseconds have steps of 0.25 us there, and durations are added after the first start was
// subtracted. Or the times as they are.
class HtaClock {
public:
    HtaClock(const Trace& trace, const HtaOptions& options, RowPoll& poll);
    std::int64_t begin(TimeRange range) const;
    std::int64_t end(TimeRange range) const;

private:
    double absoluteUs(TimeNs t) const;
    std::int64_t back(double us) const { return static_cast<std::int64_t>(us) * 1'000 - m_zeroNs; }

    std::int64_t m_zeroNs;
    bool m_rounds = false, m_hasDoubles = false;
};

struct HtaSteps {
    std::vector<std::int64_t> numbers; // ascending, each once
    // Of the step with the largest number; the end of time without steps.
    std::int64_t lastBeginNs = std::numeric_limits<std::int64_t>::max();

    bool any() const { return !numbers.empty(); }
    bool several() const { return numbers.size() > 1; }
};
HtaSteps htaSteps(const Trace& trace, const HtaClock& clock, RowPoll& poll);

} // namespace lacuna
