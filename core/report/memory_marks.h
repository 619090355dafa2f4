#pragma once
// Marks of PyTorch's allocator ("[memory]"), read from the source again.

#include "core/report/report.h"

#include <optional>
#include <vector>

namespace lacuna {

struct AllocatorMark {
    EventId event;
    std::int64_t timeNs = 0;
    std::int64_t bytes = 0;                // allocated; negative: freed
    std::optional<std::int64_t> address;   // of the block
    std::int64_t device = 0;               // ordinal
    bool isOnDevice = false;               // else memory of the host
    std::optional<std::int64_t> allocated; // what the allocator says is in use after it
};

// By time, those of one time as they stand in the trace; of the whole trace whatever the options' range is.
// Empty where none were recorded or the source is gone. Errors: Cancelled, and those of reading the source.
Result<std::vector<AllocatorMark>> allocatorMarks(const ReportInput& input, JobControl& job);

} // namespace lacuna
