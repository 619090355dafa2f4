#pragma once
#include <string_view>

namespace lacuna {

// "cudaLaunchKernel_v7000" -> "cudaLaunchKernel", "cudaGraphLaunch_v10000_ptsz"... : Nsight exports append
// the API version in which an entry point appeared to runtime names. Driver names keep theirs
// ("cuMemAlloc_v2" is the function). Kineto writes plain names. nsys.md section 3.2.
std::string_view stripApiVersion(std::string_view name);

} // namespace lacuna
