#pragma once
// Names come from files and may hold anything; what verbs print is valid UTF-8.

#include <cstddef>
#include <string>
#include <string_view>

namespace lacuna {

// Length in bytes of the well-formed UTF-8 sequence at the start of the text (no overlong forms, no
// surrogates, nothing past U+10FFFF); 0 when there is none or the text is empty.
std::size_t utf8SequenceLength(std::string_view text);
// Every byte that is part of no well-formed sequence becomes U+FFFD.
std::string validUtf8(std::string_view text);
// For terminals and tables: valid, and control characters (line ends, escape sequences) become spaces.
std::string printable(std::string_view text);
// Code points of valid text; wide and combining characters count as one.
std::size_t codePoints(std::string_view text);

} // namespace lacuna
