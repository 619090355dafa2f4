#pragma once
// Files of several ranks merged with their plain process ids: correlation ids repeat (chrome_json.md 5.1 and
// fault 22), and device rows, whose pid is the device, do not tell their rank.

#include "core/base/job_control.h"
#include "core/trace/trace_builder.h"

#include <cstdint>
#include <vector>

namespace lacuna::chrome {

// Correlation domain of device rows as they are added, and of the first host process.
inline constexpr std::uint32_t kPlainDomain = 1;

// Gives device rows of kPlainDomain the domain of the host process that launched them. `domains` are those of
// the host processes, each its own. An id that one process alone uses tells the row's process; ids that
// several use follow the others of their lane, where nine of ten agree. What stays open joins no call and is
// noted. False when cancelled. O(rows).
bool splitCorrelations(TraceBuilder& builder, const std::vector<std::uint32_t>& domains, JobControl& job);

} // namespace lacuna::chrome
