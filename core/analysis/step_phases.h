#pragma once
// When a trace was in each phase of its steps, by the names of ranges and operators.

#include "core/analysis/phase_names.h"
#include "core/base/interval_set.h"
#include "core/base/job_control.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>

namespace lacuna {

struct PhaseTimes {
    std::array<IntervalSet, kPhaseKinds> ranges; // union over all threads; Data holds loader rows too
    std::array<std::uint64_t, kPhaseKinds> rows{};
    bool backwardByOperators = false; // no range says backward; autograd's operators do
    bool has(PhaseKind phase) const { return rows[static_cast<std::size_t>(phase)] != 0; }
    const IntervalSet& of(PhaseKind phase) const { return ranges[static_cast<std::size_t>(phase)]; }
};

// O(rows of ranges and operators). When the job is cancelled the result is incomplete and of no use.
PhaseTimes phaseTimes(const Trace& trace, JobControl& job);

} // namespace lacuna
