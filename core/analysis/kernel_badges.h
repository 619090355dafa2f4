#pragma once
// What is worth a word beside a kernel's name: which attention implementation it is, that a compiler wrote or
// fused it, that CUDA graphs replay it.

#include "core/analysis/kernel_family.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

struct GraphUse {
    std::uint64_t replays = 0; // distinct graph launches among the launching calls
    std::uint64_t kernels = 0; // of the instances, that were launched so
};
// O(instances x log calls).
GraphUse graphUseOf(const Trace& trace, std::span<const EventId> instances);

// Operators that an Inductor kernel fuses, from its name: "triton_poi_fused_add_gelu_3" -> "add_gelu". Empty
// for other names.
std::string_view fusedPart(std::string_view name);

// Of an operator: "aten::_scaled_dot_product_flash_attention_backward" -> "flash attention"; "math attention"
// is made of GEMMs and a softmax. Empty for other names.
std::string attentionBadge(std::string_view operatorName);

// "flash attention", "compiled", "fused: add_gelu", "CUDA graph: 24 in each of 120 replays". May be empty.
std::vector<std::string> kernelBadges(const KernelClass& kind, std::string_view name, const GraphUse& graphs);

} // namespace lacuna
