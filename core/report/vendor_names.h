#pragma once
// Names as the vendor's reports have them.

#include "core/trace/trace.h"

#include <string>
#include <string_view>

namespace lacuna {

// The vendor cuts a tail of exactly four digits: "cudaMalloc_v3020" is "cudaMalloc", but
// "cudaGraphLaunch_v10000" stays. Ours elsewhere is stripApiVersion().
std::string_view vendorApiName(std::string_view name);

// "[CUDA memcpy Host-to-Device]", "[CUDA memset]"; of every format.
std::string memoryOperation(const Trace& trace, EventId copyOrSet);
// "Pageable", "Device", ...; empty when it is not told.
std::string_view memoryKindLabel(MemKind kind);

} // namespace lacuna
