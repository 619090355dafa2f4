#pragma once
// The host side of a trace as a forest: per thread all host rows in nesting order, their parents, and the
// leaf timeline (what the thread was doing at any time, innermost row). analysis.md section 3.
//
// Nesting order is (begin, longer first, order in the file). A row that starts inside its parent and ends
// after it overlaps partially (clock, truncation): it is kept as a child, its contribution to the parent is
// clipped, and it is counted. So an ancestor need not contain a row whole: callers that name what encloses a
// row check.
//
// Memory: 8 bytes a row and 8 bytes a leaf (at most two leaves a row).

#include "core/base/column.h"
#include "core/base/job_control.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace lacuna {

using HostRow = Id<struct HostRowTag>; // position in nesting order, threads one after another

struct HostTreeOptions {
    bool pythonRows = true; // Python frames
    bool osRows = true;     // OS runtime calls
};

class HostTree {
public:
    // Rows [firstRow, lastRow) and leaves [firstLeaf, lastLeaf) of one thread; empty for threads without
    // rows.
    struct ThreadPart {
        std::uint32_t firstRow = 0, lastRow = 0;
        std::uint32_t firstLeaf = 0, lastLeaf = 0;
        std::uint32_t partialOverlaps = 0;
        bool isEmpty() const { return firstRow == lastRow; }
    };
    // Who asks what is around a row looks so many levels up and no further: a file may nest a million rows.
    static constexpr std::uint32_t kLevelsLookedAt = 4'096;

    HostTree() = default; // of no thread
    // O(n log k) for n rows in k strips. `trace` must outlive the tree.
    static Result<HostTree> build(const Trace& trace, const HostTreeOptions& options, JobControl& job);

    std::size_t size() const { return m_event.size(); }
    const ThreadPart& part(ThreadId thread) const { return m_parts[thread.v]; }
    EventId event(HostRow row) const { return m_event[row.v]; }
    HostRow parent(HostRow row) const { return m_parent[row.v]; }
    TimeRange range(HostRow row) const { return m_trace->events().range(m_event[row.v]); }
    EventKind kind(HostRow row) const { return m_trace->events().kind[m_event[row.v].v]; }
    // The thread of a host row of the trace; none for rows of other lanes. O(log strips).
    ThreadId threadOf(EventId event) const;
    // Row of an event; none when it is not in the tree (device rows, rows left out by the options). O(log n).
    HostRow find(EventId event) const;
    // Nearest ancestor of `row` (not itself) of that kind that contains it whole; none.
    HostRow enclosing(HostRow row, EventKind kind) const;

    // Leaves tile the thread from the first begin to the last end: leaf i is [leafBegin(i), leafBegin(i + 1))
    // with its innermost row (none: uncovered). The last entry is a sentinel that begins at the last end.
    TimeNs leafBegin(std::uint32_t index) const {
        const std::uint32_t edge = m_leafEdge[index];
        const EventId e = m_event[edge >> 1];
        return {(edge & 1) != 0 ? m_trace->events().endNs[e.v] : m_trace->events().beginNs[e.v]};
    }
    HostRow leafRow(std::uint32_t index) const {
        const unsigned steps = static_cast<unsigned>(m_leafSteps[index / 2]) >> (index % 2 * 4) & 15u;
        if (steps >= kManySteps)
            return steps == kUncovered ? HostRow{} : farLeafRow(index);
        HostRow row{m_leafEdge[index] >> 1};
        for (unsigned i = 0; i < steps; ++i)
            row = m_parent[row.v];
        return row;
    }
    // The last leaf of the thread that begins at or before t; its first leaf when t lies before that. O(log
    // n).
    std::uint32_t leafAt(ThreadId thread, TimeNs t) const;
    // The same, searched forward from an earlier answer: O(log distance). Any hint is allowed.
    std::uint32_t leafAt(ThreadId thread, TimeNs t, std::uint32_t hint) const;
    // Calls visit(TimeRange, HostRow) for the stretches of the thread inside the window, in time order; they
    // tile it, uncovered stretches before, between and after rows included. A visit that answers false is the
    // last. O(log n + stretches). A hint is read and written, for windows that follow one another.
    template <class Visit>
    void visitLeaves(ThreadId thread, TimeRange window, Visit&& visit, std::uint32_t* hint = nullptr) const;

    // Self time by row: duration - sum over direct children of their clipped time. O(n). Of no use when the
    // job was cancelled.
    Column<std::int64_t> selfTimes(const JobControl& job = JobControl()) const;
    std::uint64_t partialOverlaps() const;

private:
    static constexpr unsigned kManySteps = 14, kUncovered = 15; // in four bits
    HostRow farLeafRow(std::uint32_t index) const;

    struct Builder;
    const Trace* m_trace = nullptr;
    std::vector<ThreadPart> m_parts; // by thread
    Column<EventId> m_event;
    Column<HostRow> m_parent;
    Column<std::uint32_t> m_leafEdge; // (row << 1) | 1 when the leaf begins at the row's end
    Column<std::uint8_t>
        m_leafSteps; // parents from the edge's row to the leaf's innermost, two leaves a byte
};

template <class Visit>
void HostTree::visitLeaves(ThreadId thread, TimeRange window, Visit&& visit, std::uint32_t* hint) const {
    const auto goesOn = [&visit](TimeRange range, HostRow row) {
        if constexpr (std::is_same_v<std::invoke_result_t<Visit&, TimeRange, HostRow>, bool>)
            return visit(range, row);
        else
            return visit(range, row), true;
    };
    TimeNs at = window.begin;
    const ThreadPart& p = part(thread);
    if (!p.isEmpty() && at < window.end && at < leafBegin(p.firstLeaf)) {
        const TimeNs until = std::min(window.end, leafBegin(p.firstLeaf));
        if (!goesOn(TimeRange{at, until}, HostRow{}))
            return;
        at = until;
    }
    std::uint32_t i = hint != nullptr ? leafAt(thread, at, *hint) : leafAt(thread, at);
    if (hint != nullptr)
        *hint = i;
    for (; at < window.end && i + 1 < p.lastLeaf; ++i) {
        const TimeNs until = std::min(window.end, leafBegin(i + 1));
        if (!goesOn(TimeRange{at, until}, leafRow(i)))
            return;
        at = until;
    }
    if (at < window.end)
        goesOn(TimeRange{at, window.end}, HostRow{});
}

} // namespace lacuna
