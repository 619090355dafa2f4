#pragma once
// How copies and sets are grouped and called.

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace lacuna {

// Device (-1: none), direction, memory it comes from, memory it goes to. The texts are literals.
using CopyLabels = std::tuple<std::int64_t, std::string_view, std::string_view, std::string_view>;
CopyLabels copyLabels(const Trace& trace, EventId copy, const Lane& lane);

// None where the file does not tell: it has no copy of 0 bytes, but writers of traces leave the figure out
// (ROCm's do for sets).
constexpr std::optional<std::int64_t> toldBytes(const CopyArgs* copy) {
    return copy != nullptr && copy->bytes > 0 ? std::optional(copy->bytes) : std::nullopt;
}
// "" for 0.
std::string untoldBytesNote(std::int64_t copies);

} // namespace lacuna
