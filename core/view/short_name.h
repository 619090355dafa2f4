#pragma once
// Names for labels. A label falls back through shorter forms before it is cut (ux.md section 4,
// mock/README.md).

#include "core/trace/event_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

// Forms of a name, each shorter than the one before; the first is the usual label. Never empty for a name
// that is not, and never longer than the name (but for a space or two around file and line). O(length).
//   kernel   cutlass_80_simt_sgemm_256x128_8x4_nt_align1 -> "cutlass_80_simt_sgemm 256×128 nt",
//            "sgemm 256×128", "sgemm"
//            void at::native::(anonymous namespace)::vectorized_elementwise_kernel<4, ...>(...) ->
//            "vectorized_elementwise_kernel", "vectorized_elementwise"
//   operator aten::linear -> "aten::linear", "linear"
//   Python   torch/nn/modules/module.py(1783): _call_impl -> "_call_impl  module.py:1783", "_call_impl"
//   call     cudaLaunchKernel_v7000 -> "cudaLaunchKernel"
std::vector<std::string> shortNames(std::string_view name, EventKind kind);

} // namespace lacuna
