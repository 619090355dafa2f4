#pragma once
// Which rank of a distributed run a trace is of, as its file tells it.

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lacuna {

struct World {
    std::int64_t rank = 0, size = 1; // 0 <= rank < size
    std::string backend;             // "nccl"; empty: not told
    friend bool operator==(const World&, const World&) = default;
};

// The rank as the file tells it, else as its name does ("worker3_step_12...", "rank0/trace.json").
std::optional<std::int64_t> rankOf(const TraceFacts& facts);

// None where the file does not tell both numbers, or no sensible ones.
std::optional<World> worldOf(const TraceFacts& facts);

} // namespace lacuna
