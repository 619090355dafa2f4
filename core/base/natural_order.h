#pragma once
// Names in the order in which people count: "rank2" before "rank10".

#include <string_view>

namespace lacuna {

// Digits compare by their value, everything else by its bytes. A strict total order: names that differ in
// leading zeros only are in the order of their bytes. O(length).
bool isNaturallyBefore(std::string_view a, std::string_view b);

} // namespace lacuna
