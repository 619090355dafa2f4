#pragma once
// Additive sums of the gaps of one device over any window (analysis.md section 4.6). Sums of every 512 gaps
// are kept, so that a window costs O(log n + 512); gaps that it cuts are judged again.

#include "core/analysis/gap_judge.h"

namespace lacuna::gaps {

class GapSums {
public:
    static constexpr std::size_t kBlock = 512;

    struct Sums {
        SegmentSums segments{};
        CauseSums parts{}, causeNs{};
        std::array<std::uint32_t, kGapCauses> causeGaps{};
        void add(const Gap& gap, const Judgement& judgement);
        void add(const Sums& other);
    };
    // What a stretch of gaps adds. Stretches are summed up on any thread and appended in their order; all but
    // the last are of whole blocks.
    struct Stretch {
        std::vector<Sums> blocks;
        std::size_t count = 0;
        void add(const Gap& gap, const Judgement& judgement);
    };
    void append(const Stretch& stretch);
    // Sums over the gaps [first, last), counted from the first one added.
    void sum(std::size_t first, std::size_t last, std::span<const Gap> gaps, GapJudge& judge,
             GapTotals& totals) const;
    // Adds the part of one gap that lies in the window.
    static void addCut(Gap gap, TimeRange window, const GapIndex& index, GapJudge& judge, GapTotals& totals);

private:
    void collect(std::size_t until, std::span<const Gap> gaps, GapJudge& judge, Sums& sums) const;

    std::vector<Sums> m_blocks; // sums of the gaps before block i
    Sums m_open;
    std::size_t m_count = 0;
};

} // namespace lacuna::gaps
