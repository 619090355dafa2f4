#include "core/output/utf8.h"

#include <algorithm>
#include <cstdint>

namespace lacuna {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

bool inRange(std::string_view text, std::size_t at, std::uint8_t low, std::uint8_t high) {
    if (at >= text.size())
        return false;
    const auto byte = static_cast<std::uint8_t>(text[at]);
    return byte >= low && byte <= high;
}

} // namespace

// Table 3-7 of the Unicode standard: only the second byte has bounds of its own.
std::size_t utf8SequenceLength(std::string_view text) {
    if (text.empty())
        return 0;
    const auto lead = static_cast<std::uint8_t>(text[0]);
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead <= 0xDF)
        return inRange(text, 1, 0x80, 0xBF) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const std::uint8_t low = lead == 0xE0 ? 0xA0 : 0x80;
        const std::uint8_t high = lead == 0xED ? 0x9F : 0xBF;
        return inRange(text, 1, low, high) && inRange(text, 2, 0x80, 0xBF) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const std::uint8_t low = lead == 0xF0 ? 0x90 : 0x80;
        const std::uint8_t high = lead == 0xF4 ? 0x8F : 0xBF;
        return inRange(text, 1, low, high) && inRange(text, 2, 0x80, 0xBF) && inRange(text, 3, 0x80, 0xBF)
                   ? 4
                   : 0;
    }
    return 0;
}

std::string validUtf8(std::string_view text) {
    std::string valid;
    valid.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8SequenceLength(text);
        valid.append(length > 0 ? text.substr(0, length) : kReplacement);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return valid;
}

std::string printable(std::string_view text) {
    std::string clean = validUtf8(text);
    for (std::size_t i = 0; i < clean.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(clean[i]);
        if (byte < 0x20 || byte == 0x7F)
            clean[i] = ' ';
        // C1 controls (U+0080 to U+009F) are two bytes; some terminals obey them.
        else if (byte == 0xC2 && i + 1 < clean.size() && static_cast<std::uint8_t>(clean[i + 1]) < 0xA0)
            clean.replace(i, 2, "  ");
    }
    return clean;
}

std::size_t codePoints(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<std::uint8_t>(c) & 0xC0) != 0x80; }));
}

} // namespace lacuna
