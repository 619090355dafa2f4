#include "core/ncu/ncu_numbers.h"

#include <charconv>
#include <string>

namespace lacuna {

namespace {

bool isNumberDigit(char c) {
    return c >= '0' && c <= '9';
}

// Length of a blank that may set digits apart at the start of the text; 0: none.
std::size_t groupBlank(std::string_view text) {
    for (const std::string_view blank :
         {std::string_view(" "), std::string_view("'"), std::string_view("\u00a0"),
          std::string_view("\u202f"), std::string_view("\u2009"), std::string_view("\u2019")})
        if (text.starts_with(blank))
            return blank.size();
    return 0;
}

std::string_view withoutSign(std::string_view text) {
    if (!text.empty() && (text.front() == '-' || text.front() == '+'))
        text.remove_prefix(1);
    return text;
}

// The text with group marks taken out and '.' before the fraction; empty when the groups are none.
std::string plainNumber(std::string_view text, char mark) {
    const char group = mark == '.' ? ',' : '.';
    std::string out;
    std::size_t digits = 0; // of the group
    bool grouped = false, fraction = false;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const std::size_t blank = c == group ? 1 : groupBlank(text.substr(i));
        if (blank > 0) {
            const bool isFull = grouped ? digits == 3 : digits >= 1 && digits <= 3;
            if (fraction || !isFull)
                return {};
            grouped = true;
            digits = 0;
            i += blank;
            continue;
        }
        if (c == mark || c == 'e' || c == 'E') {
            if (grouped && !fraction && digits != 3)
                return {};
            fraction = true;
            if (c != mark) // the exponent is the rest
                return out.append(text.substr(i));
            out += '.';
        } else if (isNumberDigit(c) || (out.empty() && (c == '-' || c == '+'))) {
            out += c;
            digits += isNumberDigit(c) ? 1U : 0U;
        } else {
            return {};
        }
        ++i;
    }
    return grouped && !fraction && digits != 3 ? std::string() : out;
}

} // namespace

void NumberStyle::observe(std::string_view text) {
    const std::string_view number = withoutSign(text);
    std::size_t points = 0, commas = 0;
    for (const char c : number) {
        points += c == '.' ? 1U : 0U;
        commas += c == ',' ? 1U : 0U;
    }
    if (points + commas == 0)
        return;
    const bool asPoint = parseNcuNumber(number, DecimalMark::Point).has_value();
    const bool asComma = parseNcuNumber(number, DecimalMark::Comma).has_value();
    const bool isZeroFirst = number.size() > 1 && number[0] == '0'; // "0,123" has no group of thousands
    if (asPoint && (!asComma || (isZeroFirst && commas == 0)))
        ++m_point;
    else if (asComma && (!asPoint || (isZeroFirst && points == 0)))
        ++m_comma;
    else if (asPoint && asComma)
        ++m_ambiguous;
}

std::optional<double> parseNcuNumber(std::string_view text, DecimalMark mark) {
    const std::string_view number = withoutSign(text);
    if (number.empty() || !(isNumberDigit(number[0]) || number[0] == static_cast<char>(mark)))
        return std::nullopt;
    std::string plain = plainNumber(text, static_cast<char>(mark));
    if (plain.starts_with('+'))
        plain.erase(0, 1);
    double value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (plain.empty() || error != std::errc{} || end != plain.data() + plain.size())
        return std::nullopt;
    return value;
}

} // namespace lacuna
