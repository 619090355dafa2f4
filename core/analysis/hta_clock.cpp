#include "core/analysis/hta_clock.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace lacuna {

HtaClock::HtaClock(const Trace& trace, const HtaOptions& options, RowPoll& poll)
    : m_zeroNs(trace.fileZeroNs() != 0 ? trace.fileZeroNs() : trace.facts().baseNs.value_or(0)),
      m_hasDoubles(options.doubles && !options.wholeUs) {
    const EventTable& events = trace.events();
    for (std::size_t e = 0; options.wholeUs && !m_rounds && e < events.size() && poll.tick(); ++e)
        m_rounds = (events.beginNs[e] + m_zeroNs) % 1'000 != 0;
}

std::int64_t HtaClock::begin(TimeRange range) const {
    if (m_hasDoubles)
        return std::llround((absoluteUs(range.begin) - absoluteUs({0})) * 1e3);
    return m_rounds ? back(std::ceil(absoluteUs(range.begin))) : range.begin.v;
}

std::int64_t HtaClock::end(TimeRange range) const {
    if (m_hasDoubles)
        return begin(range) + range.length().v;
    if (!m_rounds)
        return range.end.v;
    return back(std::floor(absoluteUs(range.begin) + static_cast<double>(range.length().v) / 1e3));
}

double HtaClock::absoluteUs(TimeNs t) const {
    return static_cast<double>((static_cast<long double>(t.v) + static_cast<long double>(m_zeroNs)) / 1e3L);
}

HtaSteps htaSteps(const Trace& trace, const HtaClock& clock, RowPoll& poll) {
    constexpr std::string_view kPrefix = "ProfilerStep#";
    const EventTable& events = trace.events();
    HtaSteps steps;
    for (const Strip& strip : trace.strips()) {
        const LaneKind kind = trace.lane(strip.lane).kind;
        if (kind != LaneKind::Steps && kind != LaneKind::Range)
            continue;
        for (EventId e = strip.first; e < strip.last && poll.tick(); ++e.v) {
            const std::string_view name = trace.nameOf(e);
            if (!name.starts_with(kPrefix))
                continue;
            std::int64_t number = 0;
            std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number);
            const std::int64_t begin = clock.begin(events.range(e));
            if (!steps.any() || number > steps.numbers.back()) {
                steps.numbers.push_back(number);
                steps.lastBeginNs = begin;
            } else if (number == steps.numbers.back()) {
                steps.lastBeginNs = std::min(steps.lastBeginNs, begin);
            } else {
                const auto at = std::lower_bound(steps.numbers.begin(), steps.numbers.end(), number);
                if (*at != number)
                    steps.numbers.insert(at, number);
            }
        }
    }
    return steps;
}

} // namespace lacuna
