#pragma once
// Letters and digits of ASCII, whatever the locale: names in traces are no prose.

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

} // namespace lacuna
