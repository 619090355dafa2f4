#pragma once
// Which kernel of a timeline an Nsight Compute launch is. The two files share no number: names, launch
// configurations and the order of launches are all there is, so every join says how sure it is. Times of the
// two are never mixed.

#include "core/analysis/kernel_groups.h"
#include "core/ncu/ncu_file.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lacuna {

enum class JoinCertainty : std::uint8_t {
    None,     // no kernel of that name
    Possible, // by name only, or one of several groups, by the order of launches
    Likely,   // same function and configuration, and only one group has them
    Certain,  // the same full name and configuration
};
std::string_view joinCertaintyName(JoinCertainty certainty); // "certain", …; "none"

struct NcuJoin {
    JoinCertainty certainty = JoinCertainty::None;
    std::string_view by;              // "name and configuration", "function, configuration and order", …
    std::optional<std::size_t> group; // of KernelGroups::groups
    // The launch of the timeline that stands at the same place in the order, where both have one.
    EventId instance;
};

// One entry a kernel of the file. O(n log n).
std::vector<NcuJoin> joinKernels(const NcuFile& ncu, const KernelGroups& timeline);

} // namespace lacuna
