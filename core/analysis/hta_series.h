#pragma once
// The step functions of Holistic Trace Analysis: operations that wait in the queue of a stream, and bandwidth
// of copies. Each value holds from its time to the next one. analysis.md section 2.1.

#include "core/analysis/hta.h"
#include "core/import/importer.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lacuna {

// +1 where the launching call begins, -1 where the operation starts. With listedCallsOnly only calls of that
// tool's list count, and each change is a point; else points of the same time are one.
struct HtaQueue {
    std::int64_t stream = 0;
    std::vector<std::int64_t> timeNs;
    std::vector<std::int32_t> length;
};
// By stream. O(n log n). Error: Cancelled.
Result<std::vector<HtaQueue>> htaQueues(const Trace& trace, const std::vector<HtaRow>& rows,
                                        const HtaOptions& options, JobControl& job);
// Time with at least `limit` operations in the queue.
std::int64_t htaBlockedNs(const HtaQueue& queue, std::int32_t limit);

// What Kineto wrote beside copies and sets, beside rows: it knew their durations to the ns where older files
// have whole us. Empty for other formats and without a reader. Errors: Cancelled, and those of the reader.
Result<std::vector<std::optional<double>>> htaRecordedBandwidths(const Trace& trace, DetailReader* details,
                                                                 const std::vector<HtaRow>& rows,
                                                                 JobControl& job);

// "Memcpy HtoD" of the name of a copy or set, or of the kind of copy where names are written otherwise.
std::string htaOperationName(const Trace& trace, EventId row);

struct HtaBandwidth {
    std::string operation; // "Memcpy HtoD", "Memset"
    std::vector<std::int64_t> timeNs;
    std::vector<double> gbPerSecond; // of all such operations at work; 10^9 bytes a second
    std::int64_t count = 0, bytes = 0, unionNs = 0;
    std::int64_t untold = 0; // of count: without a number of bytes
};
// recorded: what the writer of the trace says of each row, beside rows; none (or an empty list): bytes by
// duration. In HTA's mode operations without length take 1 us, and what rounding leaves of a sum of doubles
// stays; else it is 0 whenever nothing is at work. O(n log n). Error: Cancelled.
Result<std::vector<HtaBandwidth>> htaBandwidths(const Trace& trace, const std::vector<HtaRow>& rows,
                                                std::span<const std::optional<double>> recorded,
                                                const HtaOptions& options, JobControl& job);

} // namespace lacuna
