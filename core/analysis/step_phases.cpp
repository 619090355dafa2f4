#include "core/analysis/step_phases.h"

#include "core/analysis/gap_names.h"
#include "core/trace/row_poll.h"

#include <utility>
#include <vector>

namespace lacuna {

namespace {

// Answers by name, asked once each.
class PhaseNames {
public:
    explicit PhaseNames(const Trace& trace) : m_trace(trace), m_of(trace.strings().size(), kNotAsked) {}
    PhaseKind of(StringId name) {
        std::uint8_t& answer = m_of[name.v];
        if (answer == kNotAsked) {
            const std::string_view text = m_trace.strings().view(name);
            // A step mark is around phases, whatever words it holds.
            answer = static_cast<std::uint8_t>(gaps::isStepMark(text) ? PhaseKind::None : phaseOfRange(text));
        }
        return static_cast<PhaseKind>(answer);
    }

private:
    static constexpr std::uint8_t kNotAsked = 0xff;
    const Trace& m_trace;
    std::vector<std::uint8_t> m_of;
};

} // namespace

PhaseTimes phaseTimes(const Trace& trace, JobControl& job) {
    const EventTable& events = trace.events();
    PhaseNames phases(trace);
    gaps::NameFacts names(trace.strings());
    std::vector<signed char> backward(trace.strings().size(), -1); // by StringId; -1: not asked
    std::array<std::vector<TimeRange>, kPhaseKinds> found;
    std::vector<TimeRange> backwardOperators;
    RowPoll poll(job);
    for (const Strip& strip : trace.strips()) {
        const LaneKind lane = trace.lane(strip.lane).kind;
        if (lane != LaneKind::Range && lane != LaneKind::CpuThread)
            continue;
        for (EventId e = strip.first; e < strip.last && poll.tick(); ++e.v) {
            const StringId name = events.name[e.v];
            PhaseKind phase = PhaseKind::None;
            if (names.has(name, gaps::NameFacts::kDataLoading))
                phase = PhaseKind::Data;
            else if (events.kind[e.v] == EventKind::Range)
                phase = phases.of(name);
            if (phase != PhaseKind::None) {
                found[static_cast<std::size_t>(phase)].push_back(events.range(e));
                continue;
            }
            signed char& isBackward = backward[name.v];
            if (isBackward < 0)
                isBackward = isBackwardOperator(trace.strings().view(name)) ? 1 : 0;
            if (isBackward != 0)
                backwardOperators.push_back(events.range(e));
        }
    }
    PhaseTimes result;
    auto& backwardRanges = found[static_cast<std::size_t>(PhaseKind::Backward)];
    if (backwardRanges.empty() && !backwardOperators.empty()) {
        backwardRanges = std::move(backwardOperators);
        result.backwardByOperators = true;
    }
    for (std::size_t p = 0; p < kPhaseKinds; ++p) {
        result.rows[p] = found[p].size();
        result.ranges[p] = IntervalSet::fromUnsorted(std::move(found[p]));
    }
    return result;
}

} // namespace lacuna
