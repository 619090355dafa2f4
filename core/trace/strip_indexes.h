#pragma once
// The two indexes of strips behind Trace::busyBlocks() and Trace::longestBlocks(), made from the ordered
// rows: by the builder, and again by the index cache, which stores rows only. One pass, O(rows); 1.8 bytes a
// row.

#include "core/base/job_control.h"
#include "core/trace/event_table.h"
#include "core/trace/lane.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace lacuna {

// Where the entries go: the members of a Trace, empty at first.
struct StripIndexes {
    Column<std::int64_t>& busy;             // busy ns of the strip before every 16th row
    std::vector<std::size_t>& busyFirst;    // per strip: its first entry in busy
    Column<EventId>& longest;               // longest row of 16, 256, ... rows, ties: the first
    std::vector<std::size_t>& longestFirst; // per strip: its level 1; the levels follow one another
};

// Rows of a strip are sorted and disjoint. False once the job is cancelled.
bool buildStripIndexes(const EventTable& events, std::span<const Strip> strips, const StripIndexes& into,
                       const JobControl& job);

// The same in pieces for threads to share: lay out first, then build every piece [first, second) of strips,
// in any order and at once.
void layStripIndexes(std::span<const Strip> strips, const StripIndexes& into);
std::vector<std::pair<std::size_t, std::size_t>> stripPieces(std::span<const Strip> strips);
bool buildStripPiece(const EventTable& events, std::span<const Strip> strips,
                     std::pair<std::size_t, std::size_t> piece, const StripIndexes& into,
                     const JobControl& job);

} // namespace lacuna
