#pragma once
// The four questions under a list of expected work (features.md C62), answered from what was launched.

#include "core/analysis/expected_work.h"

#include <array>
#include <span>

namespace lacuna {

struct LaunchedWork {
    EventId operation; // on the device
    HostRow op;        // that asked for it; none: not recorded
};

struct WorkEvidence {
    const Trace& trace;
    const HostTree& tree;
    std::span<const LaunchedWork> launched;
    std::span<const EventId> allocations;   // calls that take memory of a device or pin it
    std::uint64_t operators = 0, views = 0; // begun in the range
    bool hasCalls = false;                  // calls of the CUDA API are recorded
};

// O(operations x levels).
std::array<WorkQuestion, 4> answerWorkQuestions(const WorkEvidence& evidence,
                                                std::span<const ExpectedItem> items);

} // namespace lacuna
