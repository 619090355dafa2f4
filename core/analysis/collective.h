#pragma once
// What a collective moved and how fast: sizes from the arguments that PyTorch records with NCCL kernels.
// Algorithm bandwidth is size / time; bus bandwidth makes collectives comparable: times 2(n-1)/n for
// all-reduce, (n-1)/n for all-gather, reduce-scatter and all-to-all of n ranks, 1 for the others (analysis.md
// section 2.2).

#include "core/import/importer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

struct CollectiveFacts {
    std::string name; // as recorded ("allreduce"), else read out of the kernel's name; may be empty
    std::optional<std::int64_t> bytes;     // the larger of what goes in and comes out
    std::optional<std::int64_t> groupSize; // ranks
};

CollectiveFacts collectiveFacts(const EventDetails& details, std::string_view kernelName);
// "Float" -> 4; none for unknown names.
std::optional<std::int64_t> bytesOfType(std::string_view dtype);
// Factor of bus bandwidth as numerator / denominator; none without a group size where it matters.
struct BusFactor {
    std::int64_t numerator = 1, denominator = 1;
};
std::optional<BusFactor> busFactor(std::string_view collective, std::optional<std::int64_t> groupSize);

} // namespace lacuna
