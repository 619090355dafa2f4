#include "core/analysis/gap_judge.h"

#include "core/analysis/gap_launch.h"
#include "core/trace/strip_query.h"

#include <algorithm>

namespace lacuna::gaps {

namespace {

constexpr std::size_t at(GapCause cause) {
    return static_cast<std::size_t>(cause);
}
constexpr std::size_t at(PieceClass cls) {
    return static_cast<std::size_t>(cls);
}

bool isHostWork(GapCause cause) {
    return cause == GapCause::HostWork || cause == GapCause::HostUnrecorded;
}

TimeNs afterBegin(const Gap& gap) {
    return gap.range.end - DurationNs{gap.afterNs};
}

} // namespace

void Judgement::clear() {
    pieces.clear();
    segments = {};
    parts = {};
    device = {};
    deviceAsked = moduleOverlap = false;
    heldBy = {};
    cap = GapConfidence::High;
    row = {};
}

void GapJudge::judge(Gap& gap, Judgement& result) {
    result.clear();
    makePieces(gap, result);
    findHolder(gap, result);
    if (!gap.launch) {
        judgeUnknown(gap, result);
    } else if (gap.sameLaunch) { // G
        gap.cause = GapCause::InsideOneLaunch;
        for (Piece& piece : result.pieces)
            piece.cause = gap.cause;
    } else if (gap.beforeNs + gap.insideNs == 0) { // D
        gap.cause = askDevice(gap, gap.range.begin, result);
        for (Piece& piece : result.pieces)
            piece.cause = gap.cause;
    } else {
        judgeLargest(gap, result);
    }
    visitParts(gap, result.pieces, gap.range,
               [&](TimeRange range, GapCause cause) { result.parts[at(cause)] += range.length().v; });
    setRole(gap);
    setConfidence(gap, result);
    setBound(gap, result);
}

void GapJudge::makePieces(Gap& gap, Judgement& result) {
    const TimeNs g0 = gap.range.begin, g1 = gap.range.end;
    if (!gap.launch) {
        result.pieces.push_back({gap.range, {}, {}, PieceClass::Unknown, gap.cause});
        result.segments[at(PieceClass::Unknown)] = gap.unknownNs();
        return;
    }
    const TimeRange before{g0, g0 + DurationNs{gap.beforeNs}};
    if (!before.isEmpty() && gap.thread) {
        m_maker.own(gap.thread, before, result.pieces);
        for (const Piece& piece : result.pieces)
            result.segments[at(piece.cls)] += piece.range.length().v;
        if (m_index.options().handOff && !gap.sameLaunch)
            gap.viaThread = m_maker.handOver(result.pieces);
    }
    if (!before.isEmpty() && !gap.thread) { // a call that no thread owns
        result.pieces.push_back({before, {}, {}, PieceClass::Uncovered, GapCause::HostUnrecorded});
        result.segments[at(PieceClass::Uncovered)] = gap.beforeNs;
    }
    if (gap.launchBound)
        for (Piece& piece : result.pieces)
            if (isHostWork(piece.cause))
                piece.cause = GapCause::LaunchBound;
    if (gap.insideNs > 0)
        result.pieces.push_back({{before.end, afterBegin(gap)},
                                 {},
                                 gap.thread,
                                 PieceClass::Inside,
                                 gap.launchBound ? GapCause::LaunchBound : GapCause::LaunchLatency});
    if (gap.afterNs > 0)
        result.pieces.push_back({{afterBegin(gap), g1}, {}, {}, PieceClass::After, GapCause::LaunchLatency});
    result.segments[at(PieceClass::Inside)] = gap.insideNs;
    result.segments[at(PieceClass::After)] = gap.afterNs;
}

// The innermost row with the largest time in `before`; ties: later start, deeper, earlier in the file. Step
// marks and uncovered time compete, but hold nothing.
void GapJudge::findHolder(Gap& gap, Judgement& result) const {
    auto& held = result.held;
    held.clear();
    for (const Piece& piece : result.pieces)
        if (piece.cls < PieceClass::Inside)
            held.emplace_back(piece.row, piece.range.length().v);
    if (held.empty())
        return;
    if (held.size() > 1) {
        std::sort(held.begin(), held.end());
        std::size_t kept = 0;
        for (std::size_t i = 1; i < held.size(); ++i)
            if (held[i].first == held[kept].first)
                held[kept].second += held[i].second;
            else
                held[++kept] = held[i];
        held.resize(kept + 1);
    }
    // Nesting order is begin, then depth, then file order: of rows with one begin the deepest is the last.
    const HostTree& tree = m_index.tree();
    auto [best, bestNs] = held.front();
    for (const auto& [row, ns] : held) {
        const bool later = row && best && tree.range(row).begin >= tree.range(best).begin;
        if (ns > bestNs || (ns == bestNs && later)) {
            best = row;
            bestNs = ns;
        }
    }
    if (!best || m_index.rows().isStep(best))
        return;
    result.heldBy = best;
    gap.heldBy = tree.event(best);
}

// U1, U3, U2. The headline of a bracketed operation is that of rule D.
void GapJudge::judgeUnknown(Gap& gap, Judgement& result) const {
    gap.cause = GapCause::LaunchNotRecorded;
    result.cap = GapConfidence::Low;
    if (m_index.wasQueuedBefore(gap.next)) {
        gap.cause = GapCause::QueuedBeforeCapture;
        result.cap = GapConfidence::Medium;
        askDevice(gap, gap.range.begin, result); // evidence only
    } else if (m_index.hasHostCalls()) {
        const EventId later = m_index.laterKnownLaunch(gap.next);
        if (later && m_index.events().beginNs[later.v] <= gap.range.begin.v) {
            gap.cause = askDevice(gap, gap.range.begin, result);
            result.cap = GapConfidence::Medium;
        }
    }
    result.pieces.front().cause = gap.cause;
}

void GapJudge::judgeLargest(Gap& gap, Judgement& result) const {
    const std::int64_t sync = gap.syncPartNs;
    const std::int64_t before = std::max<std::int64_t>(0, gap.beforeNs - sync);
    const std::int64_t inside = gap.insideNs - std::max<std::int64_t>(0, sync - gap.beforeNs);
    const std::int64_t largest = std::max({sync, before, inside, gap.afterNs});
    if (gap.afterNs > 0) {
        const GapCause cause = askDevice(gap, afterBegin(gap), result);
        result.pieces.back().cause = cause;
        gap.cause = cause;
    }
    if (sync == largest) {
        gap.cause = GapCause::SyncDrain;
    } else if (before == largest) {
        gap.cause = judgeBefore(gap, result);
    } else if (inside == largest) {
        gap.cause = judgeInside(gap, result);
        for (Piece& piece : result.pieces)
            if (piece.cls == PieceClass::Inside)
                piece.cause = gap.cause;
    }
}

GapCause GapJudge::askDevice(const Gap& gap, TimeNs from, Judgement& result) const {
    result.device = explainDevice(m_index, m_latency, gap, from);
    result.deviceAsked = true;
    return result.device.cause;
}

GapCause GapJudge::judgeInside(const Gap& gap, Judgement& result) const {
    const LaunchSide side = explainLaunch(m_index, gap);
    result.row = side.row;
    return side.cause;
}

GapCause GapJudge::judgeBefore(const Gap& gap, Judgement& result) const {
    const TimeNs rest = gap.range.begin + DurationNs{gap.syncPartNs};
    CauseSums sums{};
    for (const Piece& piece : result.pieces)
        if (piece.cls < PieceClass::Inside && piece.range.end > rest)
            sums[at(piece.cause)] += (piece.range.end - std::max(piece.range.begin, rest)).v;
    GapCause best = GapCause::HostUnrecorded;
    std::int64_t bestNs = 0;
    for (const Piece& piece : result.pieces) // ties: the one that came first
        if (piece.cls < PieceClass::Inside && sums[at(piece.cause)] > bestNs) {
            best = piece.cause;
            bestNs = sums[at(piece.cause)];
        }
    if (best == GapCause::Allocation || m_index.overheadRows().isEmpty())
        return best;
    // Loading rows name no thread: they count by overlap.
    std::int64_t loadingNs = 0;
    const TimeRange before{gap.range.begin, gap.range.begin + DurationNs{gap.beforeNs}};
    m_index.overheadRows().visit(before, [&](EventId row, TimeRange common) {
        if (!isModuleOverhead(m_index.trace().nameOf(row)))
            return;
        loadingNs += common.length().v;
        result.row = result.row ? result.row : row;
    });
    if (!result.row || static_cast<double>(loadingNs) <
                           m_index.thresholds().overheadShare * static_cast<double>(before.length().v))
        return best;
    result.moduleOverlap = true;
    if (m_index.tree().threadOf(result.row) != gap.thread && !m_index.hasOneSubmitter(gap.thread))
        result.cap = GapConfidence::Medium;
    return GapCause::ModuleLoad;
}

void GapJudge::setRole(Gap& gap) const {
    gap.role = BlockingRole::None;
    if (!gap.launch || gap.sameLaunch)
        return;
    if (gap.drainedBy)
        gap.role = BlockingRole::DrainedBy;
    else if (gap.insideNs > gap.beforeNs && gap.insideNs >= gap.afterNs)
        gap.role = BlockingRole::Launch;
    else if (gap.heldBy)
        gap.role = BlockingRole::HeldBy;
}

void GapJudge::setConfidence(Gap& gap, const Judgement& result) const {
    const GapThresholds& t = m_index.thresholds();
    const auto length = static_cast<double>(gap.length().v);
    const auto share = [&](std::int64_t ns) { return static_cast<double>(ns) / length; };
    const std::int64_t unexplained = result.parts[at(GapCause::HostUnrecorded)] +
                                     result.parts[at(GapCause::DeviceUnexplained)] +
                                     result.parts[at(GapCause::PossiblyUnrecordedWork)];
    const std::int64_t g0 = gap.range.begin.v;
    std::int64_t named = 0;
    const GapClass cls = classOf(gap.cause);
    for (std::size_t cause = 0; cause < kGapCauses; ++cause)
        if (result.parts[cause] != 0 && classOf(static_cast<GapCause>(cause)) == cls)
            named += result.parts[cause];
    const bool drainedStrictly = gap.drainedBy && m_index.events().endNs[gap.drainedBy.v] >= g0;
    const bool guessed = (gap.drainedBy && !drainedStrictly) || gap.viaThread ||
                         gap.cause == GapCause::LaunchBound ||
                         (gap.cause == GapCause::StreamDependency && result.device.isGuess);
    gap.confidence = GapConfidence::Medium;
    if (result.cap == GapConfidence::Low || gap.clockAnomaly || share(unexplained) > t.lowConfidenceShare)
        gap.confidence = GapConfidence::Low;
    else if (result.cap == GapConfidence::High && !guessed &&
             (share(named) >= t.highConfidenceShare || drainedStrictly))
        gap.confidence = GapConfidence::High;
}

// Direct bound, analysis.md section 5: of a drained gap the sync part, whatever the headline, since the
// question is what a launch queued in time would have hidden; else the headline's own part.
void GapJudge::setBound(Gap& gap, const Judgement& result) const {
    const std::int64_t latency =
        gap.launch ? m_latency.uncontendedNs(m_index.events().name[gap.launch.v]) : 0;
    if (classOf(gap.cause) == GapClass::Unknown)
        gap.boundNs = 0;
    else if (gap.drainedBy)
        gap.boundNs = gap.syncPartNs;
    else if (gap.cause == GapCause::LaunchLatency || gap.cause == GapCause::InsideOneLaunch)
        gap.boundNs = std::max<std::int64_t>(0, gap.afterNs - latency);
    else if (result.moduleOverlap)
        gap.boundNs = std::max<std::int64_t>(0, gap.beforeNs - gap.syncPartNs);
    else
        gap.boundNs = result.parts[at(gap.cause)];
}

} // namespace lacuna::gaps
