#pragma once
// What the host did in a gap, in time order: the pieces of `before` by the leaf timeline of the launching
// thread, with the stretches that rule H hands over to the thread that was worked for.

#include "core/analysis/gap_index.h"

#include <array>

namespace lacuna::gaps {

struct Piece {
    TimeRange range;
    HostRow row; // none: uncovered, and where no call is known
    ThreadId thread;
    PieceClass cls = PieceClass::Unknown;
    GapCause cause = GapCause::HostUnrecorded;
};
using Pieces = std::vector<Piece>;

class PieceMaker {
public:
    explicit PieceMaker(const GapIndex& index) : m_index(index) {}

    // Appends the thread's own pieces; they tile the window, neighbours of one row are joined. O(log n +
    // pieces).
    void own(ThreadId thread, TimeRange window, Pieces& pieces);
    // Rule H on pieces of one thread that tile a window: replaces what another thread did for it. Returns
    // that thread, none when there is no hand-off.
    ThreadId handOver(Pieces& pieces);

private:
    ThreadId handOver(Pieces& pieces, std::vector<ThreadId>& visited);
    ThreadId workerFor(ThreadId waiting, TimeRange stretch, bool inOsWait,
                       const std::vector<ThreadId>& visited) const;
    bool endsNear(ThreadId thread, TimeRange stretch, bool inOsWait) const;
    std::int64_t activeNs(ThreadId thread, TimeRange window) const;
    bool sleepsAtEnd(const Piece& piece) const;

    const GapIndex& m_index;
    // Last leaf visited: gaps come in time order, and few threads launch at a time. Threads may share a
    // place, since the leaf of another thread is a hint that is seen to be wrong.
    std::array<std::uint32_t, 32> m_hints{};
};

} // namespace lacuna::gaps
