#pragma once
// Files that are no traces of ours but that people try to open: says what they are and what to do instead.

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lacuna {

struct ForeignInput {
    std::string_view fileName;
    std::span<const std::byte> head; // unpacked
    bool isCompressed = false;
    std::uint64_t storedSize = 0;
};

// None: nothing known to be foreign.
std::optional<Error> recogniseForeign(const ForeignInput& input);
Error unknownFormat(std::span<const std::byte> head);

} // namespace lacuna
