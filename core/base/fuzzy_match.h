#pragma once
// How well a few typed letters fit a text: for lists that a person narrows down by typing.

#include <optional>
#include <string_view>

namespace lacuna {

// None unless all letters of `typed` occur in `text` in this order, in any case; spaces in `typed` separate
// words that may come in any order. The better the match, the higher the score: letters at the start of the
// text, at the start of words and beside each other count most. O(typed * text); both are cut at 256 bytes.
std::optional<int> fuzzyScore(std::string_view typed, std::string_view text);

} // namespace lacuna
