#include "core/analysis/gap_stretch.h"

namespace lacuna::gaps {

namespace {

// Known already for a holder, else looked up.
HostRow rowOfBlockingCall(const GapIndex& index, const Gap& gap, const Judgement& judgement) {
    if (!gap.blockingCall())
        return {};
    return gap.role == BlockingRole::HeldBy ? judgement.heldBy : index.tree().find(gap.blockingCall());
}

} // namespace

void GapStretch::judge(const GapIndex& index, const LatencyTable& latency, std::span<Gap> gaps) {
    parts.clear();
    holders.clear();
    sums.blocks.clear();
    sums.count = 0;
    GapJudge judge(index, latency);
    Judgement judgement;
    for (Gap& gap : gaps) {
        judge.judge(gap, judgement);
        sums.add(gap, judgement);
        holders.push_back(rowOfBlockingCall(index, gap, judgement));
        gap.firstPart = static_cast<std::uint32_t>(parts.size());
        for (std::size_t cause = 0; cause < kGapCauses; ++cause)
            if (judgement.parts[cause] != 0)
                parts.push_back({static_cast<GapCause>(cause), judgement.parts[cause]});
        gap.partCount = static_cast<std::uint16_t>(parts.size() - gap.firstPart);
    }
}

} // namespace lacuna::gaps
