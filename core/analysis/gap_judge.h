#pragma once
// The rules on one gap: which came first, what each part of it is due to, how sure that is (analysis.md 4.4
// to 4.6). findGaps(), findDrain(), findRuns() and the latency table have filled what needs more than one
// gap.

#include "core/analysis/gap_device.h"
#include "core/analysis/gap_pieces.h"

#include <array>

namespace lacuna::gaps {

using SegmentSums = std::array<std::int64_t, kPieceClasses>;
using CauseSums = std::array<std::int64_t, kGapCauses>;

struct Judgement {
    Pieces pieces;          // tile the gap; `before` after the hand-off, then inside, after or unknown
    SegmentSums segments{}; // by the launching thread's own classes
    CauseSums parts{};      // sums to the gap
    DeviceSide device;      // rule D, where it was asked
    bool deviceAsked = false;
    HostRow heldBy;
    std::vector<std::pair<HostRow, std::int64_t>> held; // scratch: time by row
    GapConfidence cap = GapConfidence::High;            // the rule that fired allows no more
    EventId row;                                        // what rule I3, I1, I2 or A's overhead test found
    bool moduleOverlap = false;
    void clear();
};

class GapJudge {
public:
    GapJudge(const GapIndex& index, const LatencyTable& latency)
        : m_index(index), m_latency(latency), m_maker(index) {}

    // Fills the gap's cause, parts (in the judgement), holders, confidence and bound.
    void judge(Gap& gap, Judgement& result);
    // Splits the judged gap's pieces by cause, cut to a window: visit(TimeRange, GapCause).
    template <class Visit>
    static void visitParts(const Gap& gap, const Pieces& pieces, TimeRange window, Visit&& visit);

private:
    void makePieces(Gap& gap, Judgement& result);
    void findHolder(Gap& gap, Judgement& result) const;
    void judgeUnknown(Gap& gap, Judgement& result) const;                     // U
    void judgeLargest(Gap& gap, Judgement& result) const;                     // S, then A, I or D
    GapCause judgeBefore(const Gap& gap, Judgement& result) const;            // A
    GapCause judgeInside(const Gap& gap, Judgement& result) const;            // I
    GapCause askDevice(const Gap& gap, TimeNs from, Judgement& result) const; // D
    void setConfidence(Gap& gap, const Judgement& result) const;
    void setBound(Gap& gap, const Judgement& result) const;
    void setRole(Gap& gap) const;

    const GapIndex& m_index;
    const LatencyTable& m_latency;
    PieceMaker m_maker;
};

template <class Visit>
void GapJudge::visitParts(const Gap& gap, const Pieces& pieces, TimeRange window, Visit&& visit) {
    const TimeNs syncEnd = gap.range.begin + DurationNs{gap.syncPartNs};
    for (const Piece& piece : pieces) {
        const bool canSync = piece.cls != PieceClass::After && piece.cls != PieceClass::Unknown;
        const TimeNs split =
            canSync ? std::clamp(syncEnd, piece.range.begin, piece.range.end) : piece.range.begin;
        if (const TimeRange r = intersection({piece.range.begin, split}, window); !r.isEmpty())
            visit(r, GapCause::SyncDrain);
        if (const TimeRange r = intersection({split, piece.range.end}, window); !r.isEmpty())
            visit(r, piece.cause);
    }
}

} // namespace lacuna::gaps
