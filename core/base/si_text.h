#pragma once
// Quantities in three significant digits, with decimal prefixes or grouped: "66.9 TFLOP/s", "0.123", "45
// 900".

#include "core/base/text_format.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

namespace lacuna {

// Without an exponent between 0.001 and a million millions; thin spaces set thousands apart.
inline std::string threeDigits(double value) {
    if (value == 0)
        return "0";
    const double size = std::abs(value);
    std::array<char, 48> text{};
    if (size >= 999.5 && size < 1e12) {
        const double unit = std::pow(10.0, std::floor(std::log10(size)) - 2);
        std::string digits = value < 0 ? "-" : "";
        digits += formatCount(static_cast<std::uint64_t>(std::round(size / unit) * unit + 0.5));
        return digits;
    }
    if (size < 0.0009995 || size >= 1e12)
        std::snprintf(text.data(), text.size(), "%.2e", value);
    else
        std::snprintf(text.data(), text.size(), "%.*f",
                      size < 0.09995  ? 4
                      : size < 0.9995 ? 3
                      : size < 9.995  ? 2
                      : size < 99.95  ? 1
                                      : 0,
                      value);
    return text.data();
}

inline std::string siText(double value, std::string_view unit) {
    constexpr std::array<std::string_view, 7> kPrefixes{"", "k", "M", "G", "T", "P", "E"};
    std::size_t prefix = 0;
    while (std::abs(value) >= 999.5 && prefix + 1 < kPrefixes.size()) {
        value /= 1000;
        ++prefix;
    }
    return threeDigits(value).append(" ").append(kPrefixes[prefix]).append(unit);
}

} // namespace lacuna
