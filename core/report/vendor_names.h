#pragma once
// Names as the vendor's reports have them.

#include <string_view>

namespace lacuna {

// The vendor cuts a tail of exactly four digits: "cudaMalloc_v3020" is "cudaMalloc", but
// "cudaGraphLaunch_v10000" stays. Ours elsewhere is stripApiVersion().
std::string_view vendorApiName(std::string_view name);

} // namespace lacuna
