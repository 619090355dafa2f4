#pragma once
// Letters and digits of ASCII, whatever the locale: names in traces are no prose.

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace lacuna {

constexpr bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool isLetter(char c) {
    return lower(c) >= 'a' && lower(c) <= 'z';
}

// Where a word (in lower case) stands in a text, at `from` or later; npos.
inline std::size_t findNoCase(std::string_view text, std::string_view lowerCaseWord, std::size_t from = 0) {
    const std::string_view rest = text.substr(from);
    const auto at = std::search(rest.begin(), rest.end(), lowerCaseWord.begin(), lowerCaseWord.end(),
                                [](char a, char b) { return lower(a) == b; });
    return at == rest.end() ? std::string_view::npos : from + static_cast<std::size_t>(at - rest.begin());
}
inline bool containsNoCase(std::string_view text, std::string_view lowerCaseWord) {
    return findNoCase(text, lowerCaseWord) != std::string_view::npos;
}

} // namespace lacuna
