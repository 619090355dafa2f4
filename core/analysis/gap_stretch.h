#pragma once
// Judges a stretch of neighbouring gaps, alone on its thread: what comes out waits in the stretch until it is
// its turn, so that the whole does not depend on the number of threads.

#include "core/analysis/gap_totals.h"

#include <span>
#include <vector>

namespace lacuna::gaps {

struct GapStretch {
    static constexpr std::size_t kGaps = 2048; // whole blocks of GapSums
    static_assert(kGaps % GapSums::kBlock == 0);

    std::vector<GapPart> parts;   // Gap::firstPart counts from here
    std::vector<HostRow> holders; // row of the blocking call, by gap; none
    GapSums::Stretch sums;

    // Forgets the stretch before. Changes nothing but the gaps and this.
    void judge(const GapIndex& index, const LatencyTable& latency, std::span<Gap> gaps);
};

} // namespace lacuna::gaps
