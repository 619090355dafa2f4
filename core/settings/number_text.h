#pragma once
// Numbers that people write into settings.

#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

// Blanks, tabs and line ends at both sides are no part of a text.
std::string_view trimmed(std::string_view text);
// A finite decimal number, "1e15" included, of the whole text whatever the locale; none else.
std::optional<double> parseNumber(std::string_view text);
// The shortest text that reads back as the number: "0.5", "1e+15", "3".
std::string numberText(double value);

} // namespace lacuna
