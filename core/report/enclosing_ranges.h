#pragma once
// Which ranges enclose a call: those of its thread that began no later and end no earlier.

#include "core/report/launched_kernels.h"
#include "core/report/range_tree.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace lacuna {

class EnclosingRanges {
public:
    // Only ranges with isUsed[i].
    EnclosingRanges(const RangeTree& tree, const std::vector<bool>& isUsed);

    // Of the next call of a thread; calls of one thread must come by start. The span is valid until the next
    // call, outer ranges first.
    std::span<const std::uint32_t> of(ThreadId thread, std::int64_t begin, std::int64_t end);

private:
    struct PerThread {
        std::vector<std::uint32_t> ranges; // of the tree, by start
        std::size_t next = 0;
        std::vector<std::uint32_t> open; // begun, and not known to be over
    };
    const RangeTree& m_tree;
    std::unordered_map<ThreadId, PerThread> m_threads;
    std::vector<std::uint32_t> m_found;
};

// Ranges that begin and end on one thread: the others cannot enclose a call of a thread. The vendor reads
// that from the column endGlobalTid, which start/end ranges have.
Result<std::vector<bool>> rangesOfOneThread(const ReportInput& input, const RangeTree& tree, JobControl& job);

} // namespace lacuna
