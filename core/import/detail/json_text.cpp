#include "core/import/detail/json_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace lacuna::json {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

void appendUtf8(std::uint32_t code, std::string& out) {
    const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | (code >> 6));
        put(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        put(0xE0 | (code >> 12));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    } else {
        put(0xF0 | (code >> 18));
        put(0x80 | ((code >> 12) & 0x3F));
        put(0x80 | ((code >> 6) & 0x3F));
        put(0x80 | (code & 0x3F));
    }
}

// Length of the well-formed UTF-8 sequence at the start of the text (Unicode table 3-7), 0 when there is
// none.
std::size_t sequenceLength(std::string_view text) {
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto isTail = [&](std::size_t i) { return (at(i) & 0xC0u) == 0x80u; };
    const unsigned lead = at(0), second = at(1);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return isTail(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const bool isOverlong = lead == 0xE0 && second < 0xA0;
        const bool isSurrogate = lead == 0xED && second > 0x9F;
        return isTail(1) && isTail(2) && !isOverlong && !isSurrogate ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const bool isOverlong = lead == 0xF0 && second < 0x90;
        const bool isTooLarge = lead == 0xF4 && second > 0x8F;
        return isTail(1) && isTail(2) && isTail(3) && !isOverlong && !isTooLarge ? 4 : 0;
    }
    return 0;
}

std::optional<std::uint32_t> hex4(std::string_view text) {
    if (text.size() < 4)
        return std::nullopt;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + 4, value, 16);
    if (error != std::errc{} || end != text.data() + 4)
        return std::nullopt;
    return value;
}

// text starts after "\u". Returns the bytes used after it; 0 when it is no such escape.
std::size_t appendUnicodeEscape(std::string_view text, std::string& out) {
    const auto first = hex4(text);
    if (!first)
        return 0;
    if (*first >= 0xD800 && *first <= 0xDBFF && text.substr(4, 2) == "\\u") {
        const auto second = hex4(text.substr(6));
        if (second && *second >= 0xDC00 && *second <= 0xDFFF) {
            appendUtf8(0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00), out);
            return 10;
        }
    }
    if (*first >= 0xD800 && *first <= 0xDFFF)
        out += kReplacement;
    else
        appendUtf8(*first, out);
    return 4;
}

// text starts at a backslash. Returns the bytes used.
std::size_t appendEscape(std::string_view text, std::string& out) {
    constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    if (text.size() > 1) {
        if (const std::size_t known = kFrom.find(text[1]); known != std::string_view::npos) {
            out.push_back(kTo[known]);
            return 2;
        }
        if (text[1] == 'u')
            if (const std::size_t used = appendUnicodeEscape(text.substr(2), out); used != 0)
                return 2 + used;
    }
    out.push_back('\\');
    return 1;
}

// Digits of a decimal number and where its point stands: value = 0.DIGITS * 10^point.
struct Decimal {
    bool negative = false;
    std::array<char, 40> digits{}; // without leading zeros
    std::size_t count = 0;         // digits kept
    bool hasMore = false;          // a digit that is not zero was cut off
    std::int64_t point = 0;
};

std::optional<Decimal> parseDecimal(std::string_view text) {
    Decimal d;
    std::size_t i = 0;
    if (i < text.size() && (text[i] == '-' || text[i] == '+'))
        d.negative = text[i++] == '-';
    bool anyDigit = false, afterPoint = false;
    for (; i < text.size() && (isDigit(text[i]) || (text[i] == '.' && !afterPoint)); ++i) {
        if (text[i] == '.') {
            afterPoint = true;
            continue;
        }
        anyDigit = true;
        const bool isLeadingZero = text[i] == '0' && d.count == 0;
        if (isLeadingZero)
            d.point -= afterPoint ? 1 : 0;
        else
            d.point += afterPoint ? 0 : 1;
        if (isLeadingZero)
            continue;
        if (d.count < d.digits.size())
            d.digits[d.count++] = text[i];
        else
            d.hasMore = d.hasMore || text[i] != '0';
    }
    if (!anyDigit)
        return std::nullopt;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        ++i;
        i += i < text.size() && text[i] == '+' ? 1u : 0u;
        std::int64_t exponent = 0;
        const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), exponent);
        if (error == std::errc::invalid_argument)
            return std::nullopt;
        constexpr std::int64_t kFar = 100'000; // far beyond any time, and no overflow below
        if (error == std::errc::result_out_of_range)
            exponent = text[i] == '-' ? -kFar : kFar;
        d.point += std::clamp(exponent, -kFar, kFar);
        i = static_cast<std::size_t>(end - text.data());
    }
    if (i != text.size())
        return std::nullopt;
    return d;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ')
        text.remove_prefix(1);
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
        text.remove_suffix(1);
    return text;
}

// Up to 18 decimal digits and nothing else: what nearly every number is.
std::optional<std::int64_t> shortInteger(std::string_view text) {
    if (text.empty() || text.size() > 18)
        return std::nullopt;
    std::int64_t value = 0;
    for (const char c : text) {
        if (!isDigit(c))
            return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return value;
}

// Eight decimal digits; false when one is none.
bool eightDigits(const char* p, std::uint64_t& value) {
    if constexpr (std::endian::native != std::endian::little)
        return false;
    constexpr std::uint64_t kEachByte = 0x0101010101010101u;
    std::uint64_t text = 0;
    std::memcpy(&text, p, sizeof text);
    std::uint64_t digits = text - kEachByte * '0';
    if (((digits | (text + kEachByte * 0x46)) & (kEachByte << 7)) != 0) // below '0', above '9'
        return false;
    // Pairs, then fours, then all: the first digit stands in the lowest byte.
    digits = digits * 10 + (digits >> 8);
    constexpr std::uint64_t kPairs = 0x000000ff000000ffu;
    value = ((digits & kPairs) * (100 + (std::uint64_t{1'000'000} << 32)) +
             ((digits >> 16) & kPairs) * (1 + (std::uint64_t{10'000} << 32))) >>
            32;
    return true;
}

// I.FFF with at most 16 digits before the point, as Kineto writes times.
std::optional<std::int64_t> kinetoMicros(std::string_view text) {
    constexpr std::size_t kWhole = 16, kFraction = 4; // with the point
    if (text.size() <= kFraction || text.size() > kWhole + kFraction)
        return std::nullopt;
    const char* p = text.data();
    const char* const point = p + text.size() - kFraction;
    std::uint64_t value = 0, part = 0;
    for (; point - p >= 8; p += 8) {
        if (!eightDigits(p, part))
            return std::nullopt;
        value = value * 100'000'000 + part;
    }
    const auto digit = [](char c) { return static_cast<unsigned>(c) - unsigned{'0'}; };
    for (; p != point; ++p) {
        if (digit(*p) > 9)
            return std::nullopt;
        value = value * 10 + digit(*p);
    }
    const unsigned a = digit(point[1]), b = digit(point[2]), c = digit(point[3]);
    if (*point != '.' || a > 9 || b > 9 || c > 9 || value >= std::uint64_t{kMaxTimeNs} / 1000)
        return std::nullopt;
    return static_cast<std::int64_t>(value * 1000 + (a * 100 + b * 10 + c));
}

// I.F with at most 16 and 3 digits.
std::optional<std::int64_t> shortMicros(std::string_view text) {
    constexpr std::size_t kWhole = 16, kFraction = 3;
    const auto digitsFrom = [text](std::size_t i, std::uint64_t& value) { // may wrap: too long, then
        for (; i < text.size() && isDigit(text[i]); ++i)
            value = value * 10 + static_cast<std::uint64_t>(text[i] - '0');
        return i;
    };
    if (text.size() > kWhole + 1 + kFraction)
        return std::nullopt;
    std::uint64_t value = 0;
    const std::size_t point = digitsFrom(0, value);
    if (point == 0 || point > kWhole || value >= std::uint64_t{kMaxTimeNs} / 1000)
        return std::nullopt;
    if (point == text.size())
        return static_cast<std::int64_t>(value * 1000);
    const std::size_t end = digitsFrom(point + 1, value);
    const std::size_t fraction = end - point - 1;
    if (text[point] != '.' || end != text.size() || fraction == 0 || fraction > kFraction)
        return std::nullopt;
    constexpr std::array<std::uint64_t, 4> kScale{1000, 100, 10, 1};
    return static_cast<std::int64_t>(value * kScale[fraction]);
}

template <class T> std::optional<T> integer(std::string_view text) {
    if (const auto quick = shortInteger(text))
        return static_cast<T>(*quick);
    text = trimmed(text);
    if (const std::size_t point = text.find('.');
        point != std::string_view::npos && text.find_first_not_of('0', point + 1) == std::string_view::npos)
        text = text.substr(0, point);
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    if (isHex)
        text.remove_prefix(2);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, isHex ? 16 : 10);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

void appendUnescaped(std::string_view text, std::string& out) {
    while (!text.empty()) {
        const auto isOrdinary = [](char c) { return c != '\\' && static_cast<unsigned char>(c) < 0x80; };
        const auto stop = std::find_if_not(text.begin(), text.end(), isOrdinary);
        const auto ordinary = static_cast<std::size_t>(stop - text.begin());
        out.append(text.substr(0, ordinary));
        text.remove_prefix(ordinary);
        if (text.empty())
            return;
        std::size_t used = 0;
        if (text.front() == '\\') {
            used = appendEscape(text, out);
        } else if ((used = sequenceLength(text)) != 0) {
            out.append(text.substr(0, used));
        } else {
            out += kReplacement;
            used = 1;
        }
        text.remove_prefix(used);
    }
}

std::string_view meaning(const Value& value, std::string& scratch) {
    if (value.type != ValueType::String || value.isPlain)
        return value.text;
    scratch.clear();
    appendUnescaped(value.text, scratch);
    return scratch;
}

std::string meaning(const Value& value) {
    std::string scratch;
    return std::string(meaning(value, scratch));
}

std::optional<std::int64_t> microsAsNs(std::string_view text) {
    if (const auto quick = kinetoMicros(text))
        return quick;
    if (const auto quick = shortMicros(text))
        return quick;
    const auto decimal = parseDecimal(trimmed(text));
    if (!decimal)
        return std::nullopt;
    const Decimal& d = *decimal;
    const std::int64_t whole = d.point + 3; // digits of the integer number of ns
    if (d.count == 0 || whole < 0)
        return 0; // zero, or less than 0.1 ns
    if (whole > 19)
        return std::nullopt;
    std::uint64_t ns = 0;
    const auto count = static_cast<std::size_t>(whole);
    for (std::size_t i = 0; i < count; ++i)
        ns = ns * 10 + (i < d.count ? static_cast<std::uint64_t>(d.digits[i] - '0') : 0u);
    if (count < d.count) {
        const auto* rest = d.digits.data() + count + 1;
        const bool beyondHalf =
            d.hasMore || std::any_of(rest, d.digits.data() + d.count, [](char c) { return c != '0'; });
        const char next = d.digits[count];
        ns += (next > '5' || (next == '5' && (beyondHalf || ns % 2 == 1))) ? 1u : 0u;
    }
    if (ns > static_cast<std::uint64_t>(kMaxTimeNs))
        return std::nullopt;
    return d.negative ? -static_cast<std::int64_t>(ns) : static_cast<std::int64_t>(ns);
}

std::optional<std::int64_t> asInteger(std::string_view text) {
    return integer<std::int64_t>(text);
}
std::optional<std::uint64_t> asUnsigned(std::string_view text) {
    return integer<std::uint64_t>(text);
}

std::optional<double> asReal(std::string_view text) {
    text = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

} // namespace lacuna::json
