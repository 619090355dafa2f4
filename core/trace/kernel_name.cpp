#include "core/trace/kernel_name.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace lacuna {

namespace {

constexpr std::string_view kAnonymousNamespace = "(anonymous namespace)";

std::string demangledKernel(std::string_view name) {
    if (!name.starts_with("_Z"))
        return std::string(name);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : std::string(name);
}

// Where the last component stands, and where the template arguments after it begin (npos: none).
struct NameParts {
    std::size_t begin = 0, end = 0, arguments = std::string_view::npos;
};

NameParts partsOf(std::string_view name) {
    NameParts parts{0, name.size(), std::string_view::npos};
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (depth == 0 && name.substr(i).starts_with(kAnonymousNamespace)) {
            i += kAnonymousNamespace.size() - 1;
        } else if (c == '<' || c == '(' || c == '[' || c == '{') {
            if (depth == 0 && parts.end == name.size())
                parts.end = i;
            if (depth == 0 && c == '<' && parts.arguments == std::string_view::npos)
                parts.arguments = i + 1;
            if (depth == 0 && c == '(')
                break; // arguments end the name
            ++depth;
        } else if (c == '>' || c == ')' || c == ']' || c == '}') {
            depth -= depth > 0 ? 1 : 0;
        } else if (depth == 0 && (c == ':' || c == ' ') && i + 1 < name.size()) {
            parts = {i + 1, name.size(), std::string_view::npos};
        }
    }
    return parts;
}

} // namespace

std::string kernelFunction(std::string_view name) {
    const std::string plain = demangledKernel(name);
    const NameParts parts = partsOf(plain);
    return parts.end > parts.begin ? plain.substr(parts.begin, parts.end - parts.begin) : plain;
}

std::string firstTemplateArgument(std::string_view name) {
    const std::string plain = demangledKernel(name);
    const NameParts parts = partsOf(plain);
    if (parts.arguments == std::string_view::npos)
        return {};
    const std::size_t end = plain.find_first_of("<>(),", parts.arguments);
    std::string argument = plain.substr(parts.arguments, end - parts.arguments); // npos - n is the rest
    if (const std::size_t colon = argument.rfind(':'); colon != std::string::npos)
        argument.erase(0, colon + 1);
    std::erase(argument, ' ');
    return argument;
}

std::string comparableKernelName(std::string_view name) {
    const std::string plain = demangledKernel(name);
    constexpr std::array<std::string_view, 4> kCasts{"(int)", "(bool)", "(unsigned int)", "(long)"};
    std::string out;
    std::size_t at = plain.starts_with("void ") ? 5 : 0;
    while (at < plain.size()) {
        const bool isArgument = !out.empty() && (out.back() == '<' || out.back() == ',');
        const auto cast = std::find_if(kCasts.begin(), kCasts.end(), [&](std::string_view text) {
            return isArgument && std::string_view(plain).substr(at).starts_with(text);
        });
        if (cast != kCasts.end()) {
            at += cast->size();
            continue;
        }
        if (plain[at] != ' ')
            out += plain[at];
        ++at;
    }
    return out;
}

} // namespace lacuna
