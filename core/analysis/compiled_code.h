#pragma once
// Which part of a compiled program an event is, by its name: torch.compile checks guards, runs what Dynamo
// made of the bytecode, AOTAutograd's wrappers, the code Inductor wrote, kernels of Triton, and kernels of
// libraries that the written code calls.

#include "core/analysis/host_tree.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>

namespace lacuna {

enum class CompiledCode : std::uint8_t { None, Guards, Dynamo, AotAutograd, Inductor, Triton, External };
inline constexpr std::size_t kCompiledCodes = 7;
std::string_view compiledCodeName(CompiledCode code); // "guards", "Dynamo", "AOTAutograd", ...

// By the name alone; External only where the name says so ("extern_kernels.mm"). O(length).
CompiledCode compiledCodeOf(std::string_view name);

// External as well: an operator of a library called by written code (below Inductor's call).
// O(levels).
CompiledCode compiledCodeOf(const Trace& trace, const HostTree& tree, HostRow row);

} // namespace lacuna
