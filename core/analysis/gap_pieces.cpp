#include "core/analysis/gap_pieces.h"

#include <algorithm>

namespace lacuna::gaps {

namespace {

bool isQuiet(const Piece& piece) {
    return piece.cls == PieceClass::Uncovered || piece.cls == PieceClass::OsWait;
}

struct Stretch {
    std::size_t first = 0, last = 0; // pieces [first, last)
    TimeRange range;
};

// The longest run of quiet pieces, ties: the first; and the quiet time of all.
Stretch longestQuiet(const Pieces& pieces, std::int64_t& quietNs) {
    Stretch best, current;
    quietNs = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (!isQuiet(pieces[i]))
            continue;
        quietNs += pieces[i].range.length().v;
        if (current.last == i && current.last != 0)
            current.range.end = pieces[i].range.end;
        else
            current = {i, i, pieces[i].range};
        current.last = i + 1;
        if (current.range.length() > best.range.length())
            best = current;
    }
    return best;
}

} // namespace

void PieceMaker::own(ThreadId thread, TimeRange window, Pieces& pieces) {
    const std::size_t first = pieces.size();
    const RowFacts& rows = m_index.rows();
    const auto add = [&](TimeRange range, HostRow leaf) {
        const HostRow row = rows.shown(m_index.tree(), leaf);
        if (pieces.size() > first && pieces.back().row == row)
            pieces.back().range.end = range.end;
        else
            pieces.push_back({range, row, thread, rows.cls(row), rows.cause(row)});
    };
    m_index.tree().visitLeaves(thread, window, add, &m_hints[thread.v % m_hints.size()]);
}

ThreadId PieceMaker::handOver(Pieces& pieces) {
    std::vector<ThreadId> visited;
    return handOver(pieces, visited);
}

bool PieceMaker::sleepsAtEnd(const Piece& piece) const {
    return piece.row && isSleepCall(m_index.trace().nameOf(m_index.tree().event(piece.row)));
}

ThreadId PieceMaker::handOver(Pieces& pieces, std::vector<ThreadId>& visited) {
    if (pieces.empty() || visited.size() >= static_cast<std::size_t>(m_index.thresholds().handOffDepth))
        return {};
    const ThreadId waiting = pieces.front().thread;
    const std::int64_t all = (pieces.back().range.end - pieces.front().range.begin).v;
    std::int64_t quietNs = 0;
    Stretch quiet = longestQuiet(pieces, quietNs);
    if (quietNs == 0 ||
        static_cast<double>(quietNs) < m_index.thresholds().handOffShare * static_cast<double>(all))
        return {};
    // What wakes a thread ends its wait: a short time without a row behind the wait is the thread's own.
    if (const Piece& tail = pieces[quiet.last - 1];
        quiet.last - quiet.first > 1 && tail.cls == PieceClass::Uncovered &&
        tail.range.length().v <= m_index.thresholds().handOffEndNs) {
        --quiet.last;
        quiet.range.end = tail.range.begin;
    }
    const Piece& end = pieces[quiet.last - 1];
    if (sleepsAtEnd(end)) // ends by itself: nobody was waited for
        return {};
    visited.push_back(waiting);
    const ThreadId worker = workerFor(waiting, quiet.range, end.cls == PieceClass::OsWait, visited);
    if (!worker)
        return {};
    Pieces theirs;
    own(worker, quiet.range, theirs);
    handOver(theirs, visited);
    const auto first = pieces.begin() + static_cast<std::ptrdiff_t>(quiet.first);
    const auto at = pieces.erase(first, pieces.begin() + static_cast<std::ptrdiff_t>(quiet.last));
    pieces.insert(at, theirs.begin(), theirs.end());
    return worker;
}

// The thread of the process with the most recorded work in the stretch, among those that hand over at its
// end.
ThreadId PieceMaker::workerFor(ThreadId waiting, TimeRange stretch, bool inOsWait,
                               const std::vector<ThreadId>& visited) const {
    const Trace& trace = m_index.trace();
    ThreadId best;
    std::int64_t bestNs = 0;
    m_index.threadsOf(trace.threads()[waiting.v].process).visitActive(stretch, [&](ThreadId thread) {
        if (std::find(visited.begin(), visited.end(), thread) != visited.end() ||
            isWatchdogThread(trace.threads()[thread.v].name) || !endsNear(thread, stretch, inOsWait))
            return true;
        const std::int64_t ns = activeNs(thread, stretch);
        if (ns > bestNs) {
            best = thread;
            bestNs = ns;
        }
        return true;
    });
    return best;
}

// A row of the thread ends near the end of the stretch; or it signals shortly before, where an OS wait ended;
// or a backward frame that began in the stretch is open there (main thread -> autograd thread).
bool PieceMaker::endsNear(ThreadId thread, TimeRange stretch, bool inOsWait) const {
    const GapThresholds& t = m_index.thresholds();
    const HostTree& tree = m_index.tree();
    const std::int64_t s = stretch.end.v;
    const std::int64_t look = inOsWait ? std::max(t.handOffEndNs, t.handOffWakeNs) : t.handOffEndNs;
    bool found = false;
    const TimeRange window{{s - look}, {s + t.handOffEndNs + 1}};
    tree.visitLeaves(thread, window, [&](TimeRange, HostRow row) {
        if (!row || found || tree.kind(row) == EventKind::Range || tree.range(row).begin.v >= s)
            return;
        const std::int64_t end = tree.range(row).end.v;
        found = end >= s - t.handOffEndNs && end <= s + t.handOffEndNs;
        if (!found && inOsWait && tree.kind(row) == EventKind::OsRuntime)
            found = end <= s && end >= s - t.handOffWakeNs &&
                    isSignalCall(m_index.trace().nameOf(tree.event(row)));
    });
    if (found || tree.part(thread).isEmpty())
        return found;
    std::uint32_t levels = 0;
    for (HostRow row = tree.leafRow(tree.leafAt(thread, {s - 1}));
         row && !found && levels < HostTree::kLevelsLookedAt; row = tree.parent(row), ++levels)
        found = tree.range(row).begin >= stretch.begin && tree.range(row).end.v > s &&
                (tree.kind(row) == EventKind::Python || tree.kind(row) == EventKind::CpuOp) &&
                isBackwardFrame(m_index.trace().nameOf(tree.event(row)));
    return found;
}

// Time in operators, API calls, OS rows and Python frames: ranges tell nothing about activity.
std::int64_t PieceMaker::activeNs(ThreadId thread, TimeRange window) const {
    const HostTree& tree = m_index.tree();
    std::int64_t sum = 0;
    tree.visitLeaves(thread, window, [&](TimeRange range, HostRow row) {
        if (row && tree.kind(row) != EventKind::Range && tree.kind(row) != EventKind::Overhead)
            sum += range.length().v;
    });
    return sum;
}

} // namespace lacuna::gaps
