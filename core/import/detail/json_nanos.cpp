#include "core/import/detail/json_nanos.h"

#include "core/import/detail/json_text.h"

#include <charconv>
#include <string>

namespace lacuna::json {

// The same digits, a thousandth of the exponent.
std::optional<std::int64_t> nanosAsNs(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    std::string scaled(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
    const std::size_t mark = scaled.find_first_of("eE");
    std::int64_t exponent = 0;
    if (mark != std::string::npos) {
        const std::size_t from = mark + (mark + 1 < scaled.size() && scaled[mark + 1] == '+' ? 2 : 1);
        const auto [end, error] =
            std::from_chars(scaled.data() + from, scaled.data() + scaled.size(), exponent);
        if (error != std::errc{} || end != scaled.data() + scaled.size())
            return std::nullopt;
        scaled.resize(mark);
    }
    return microsAsNs(scaled.append("e").append(std::to_string(exponent - 3)));
}

} // namespace lacuna::json
