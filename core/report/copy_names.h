#pragma once
// How copies and sets are grouped and called.

#include "core/trace/trace.h"

#include <cstdint>
#include <string_view>
#include <tuple>

namespace lacuna {

// Device (-1: none), direction, memory it comes from, memory it goes to. The texts are literals.
using CopyLabels = std::tuple<std::int64_t, std::string_view, std::string_view, std::string_view>;
CopyLabels copyLabels(const Trace& trace, EventId copy, const Lane& lane);

} // namespace lacuna
