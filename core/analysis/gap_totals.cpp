#include "core/analysis/gap_totals.h"

#include <algorithm>

namespace lacuna::gaps {

void GapSums::Sums::add(const Gap& gap, const Judgement& judgement) {
    for (std::size_t i = 0; i < kPieceClasses; ++i)
        segments[i] += judgement.segments[i];
    for (std::size_t i = 0; i < kGapCauses; ++i)
        parts[i] += judgement.parts[i];
    causeNs[static_cast<std::size_t>(gap.cause)] += gap.length().v;
    ++causeGaps[static_cast<std::size_t>(gap.cause)];
}

void GapSums::Sums::add(const Sums& other) {
    for (std::size_t i = 0; i < kPieceClasses; ++i)
        segments[i] += other.segments[i];
    for (std::size_t i = 0; i < kGapCauses; ++i) {
        parts[i] += other.parts[i];
        causeNs[i] += other.causeNs[i];
        causeGaps[i] += other.causeGaps[i];
    }
}

void GapSums::Stretch::add(const Gap& gap, const Judgement& judgement) {
    if (count % kBlock == 0)
        blocks.emplace_back();
    blocks.back().add(gap, judgement);
    ++count;
}

void GapSums::append(const Stretch& stretch) {
    for (const Sums& block : stretch.blocks) {
        m_blocks.push_back(m_open);
        m_open.add(block);
    }
    m_count += stretch.count;
}

void GapSums::collect(std::size_t until, std::span<const Gap> gaps, GapJudge& judge, Sums& sums) const {
    sums = until == m_count || m_blocks.empty() ? m_open : m_blocks[until / kBlock];
    if (until == m_count)
        return;
    Judgement judgement;
    for (std::size_t i = until / kBlock * kBlock; i < until; ++i) {
        Gap gap = gaps[i];
        judge.judge(gap, judgement);
        sums.add(gap, judgement);
    }
}

void GapSums::sum(std::size_t first, std::size_t last, std::span<const Gap> gaps, GapJudge& judge,
                  GapTotals& totals) const {
    if (first >= last)
        return;
    Sums low, high;
    collect(first, gaps, judge, low);
    collect(last, gaps, judge, high);
    for (std::size_t i = 0; i < kPieceClasses; ++i)
        totals.segmentNs[i] += high.segments[i] - low.segments[i];
    for (std::size_t i = 0; i < kGapCauses; ++i) {
        totals.partNs[i] += high.parts[i] - low.parts[i];
        totals.causeNs[i] += high.causeNs[i] - low.causeNs[i];
        totals.causeGaps[i] += high.causeGaps[i] - low.causeGaps[i];
        totals.idleNs += high.causeNs[i] - low.causeNs[i];
    }
    totals.gaps += static_cast<std::uint32_t>(last - first);
}

void GapSums::addCut(Gap gap, TimeRange window, const GapIndex& index, GapJudge& judge, GapTotals& totals) {
    const TimeRange inside = intersection(gap.range, window);
    if (inside.isEmpty())
        return;
    Judgement judgement;
    judge.judge(gap, judgement);
    GapJudge::visitParts(gap, judgement.pieces, inside, [&](TimeRange range, GapCause cause) {
        totals.partNs[static_cast<std::size_t>(cause)] += range.length().v;
    });
    // Segments are by the launching thread's own classes, so the pieces before the hand-off are asked.
    const TimeRange before{gap.range.begin, gap.range.begin + DurationNs{gap.beforeNs}};
    const TimeRange cutBefore = intersection(before, inside);
    if (!cutBefore.isEmpty() && gap.thread) {
        Pieces own;
        PieceMaker(index).own(gap.thread, cutBefore, own);
        for (const Piece& piece : own)
            totals.segmentNs[static_cast<std::size_t>(piece.cls)] += piece.range.length().v;
    } else {
        totals.segmentNs[static_cast<std::size_t>(PieceClass::Uncovered)] += cutBefore.length().v;
    }
    for (const Piece& piece : judgement.pieces)
        if (piece.cls >= PieceClass::Inside)
            totals.segmentNs[static_cast<std::size_t>(piece.cls)] +=
                intersection(piece.range, inside).length().v;
    totals.causeNs[static_cast<std::size_t>(gap.cause)] += inside.length().v;
    ++totals.causeGaps[static_cast<std::size_t>(gap.cause)];
    totals.idleNs += inside.length().v;
    ++totals.gaps;
}

} // namespace lacuna::gaps
