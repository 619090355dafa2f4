#pragma once

#include <string>
#include <string_view>

namespace lacuna {

// Text that Markdown shows as it is: signs that it would take for its own are escaped.
inline std::string escapedMarkdown(std::string_view text) {
    constexpr std::string_view kSigns = R"(\`*_{}[]<>#|~)";
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (kSigns.find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

} // namespace lacuna
