#include "core/view/short_name.h"

#include "core/trace/api_name.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace lacuna {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

constexpr std::string_view kAnonymous = "(anonymous namespace)";

// A C++ name taken apart: the last component without namespaces, template and function arguments and return
// type, and the first template argument. Works on unbalanced text: brackets are only counted.
struct CxxName {
    std::string_view base, firstArgument;
};

CxxName cxxName(std::string_view name) {
    CxxName out;
    int depth = 0;
    std::size_t start = 0, argument = std::string_view::npos;
    std::size_t end = name.size(); // of the component that starts at `start`
    bool closed = false;           // its template arguments have begun
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (depth == 0 && name.substr(i).starts_with(kAnonymous)) {
            i += kAnonymous.size() - 1;
            continue;
        }
        const char c = name[i];
        if (c == '<' || c == '(' || c == '[' || c == '{') {
            if (depth++ > 0)
                continue;
            if (c == '(') { // function arguments end the name
                if (!closed)
                    end = i;
                break;
            }
            end = closed ? end : i;
            argument = !closed && c == '<' ? i + 1 : argument;
            closed = true;
        } else if (c == '>' || c == ')' || c == ']' || c == '}' || c == ',') {
            if (depth == 1 && argument != std::string_view::npos && out.firstArgument.empty())
                out.firstArgument = trimmed(name.substr(argument, i - argument));
            depth -= c != ',' && depth > 0 ? 1 : 0;
        } else if (depth == 0 && (c == ':' || c == ' ') && i + 1 < name.size()) {
            start = i + 1;
            end = name.size();
            closed = false;
            argument = std::string_view::npos;
            out.firstArgument = {};
        }
    }
    out.base = trimmed(name.substr(start, std::max(start, end) - start));
    return out;
}

std::vector<std::string_view> tokensOf(std::string_view text) {
    std::vector<std::string_view> tokens;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find('_', from), text.size());
        tokens.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    return tokens;
}

// "256x128", "tilesize128x128x8" -> "256x128" with multiplication signs; empty when it is no tile.
std::string tileOf(std::string_view token) {
    constexpr std::string_view kTileSize = "tilesize";
    if (token.starts_with(kTileSize))
        token.remove_prefix(kTileSize.size());
    std::string tile;
    int crosses = 0;
    for (std::size_t i = 0; i < token.size(); ++i) {
        const bool cross = token[i] == 'x' && i > 0 && i + 1 < token.size() && isDigit(token[i - 1]);
        if (!cross && !isDigit(token[i]))
            return {};
        crosses += cross;
        tile += cross ? "\u00d7" : std::string(1, token[i]);
    }
    return crosses > 0 ? tile : std::string();
}

bool isLayout(std::string_view token) {
    constexpr std::array<std::string_view, 8> kLayouts{"nn", "nt", "tn", "tt", "NN", "NT", "TN", "TT"};
    return std::ranges::find(kLayouts, token) != kLayouts.end();
}

void add(std::vector<std::string>& forms, std::string form) {
    if (!form.empty() && (forms.empty() || form.size() < forms.back().size()))
        forms.push_back(std::move(form));
}

// Names of matrix and convolution libraries: what it is, tile and layout are worth keeping.
bool addLibraryForms(std::string_view base, std::vector<std::string>& forms) {
    constexpr std::array<std::string_view, 8> kWhat{"gemm",  "gemv",  "fprop", "dgrad",
                                                    "wgrad", "nvjet", "fmha",  "conv2d"};
    const auto tokens = tokensOf(base);
    const auto what = std::ranges::find_if(tokens, [&](std::string_view token) {
        return std::ranges::any_of(
            kWhat, [&](std::string_view w) { return token.find(w) != std::string_view::npos; });
    });
    if (what == tokens.end())
        return false;
    std::string tile, layout;
    for (auto token = what + 1; token != tokens.end(); ++token) {
        if (tile.empty())
            tile = tileOf(*token);
        if (layout.empty() && isLayout(*token))
            layout = *token;
    }
    if (tile.empty())
        return false;
    const auto prefix = static_cast<std::size_t>(what->data() + what->size() - base.data());
    add(forms, std::string(base.substr(0, prefix)) + " " + tile + (layout.empty() ? "" : " " + layout));
    add(forms, std::string(*what) + " " + tile);
    add(forms, std::string(*what));
    return true;
}

void addCollectiveForms(std::string_view base, std::vector<std::string>& forms) {
    add(forms, std::string(base));
    const auto tokens = tokensOf(base); // ncclDevKernel_AllReduce_Sum_bf16_RING_LL
    if (tokens.size() > 3)
        add(forms, std::string(tokens[1]) + " " + std::string(tokens[2]) + " " + std::string(tokens[3]));
    add(forms, std::string(tokens[1]));
}

std::string demangled(std::string_view name) {
    if (!name.starts_with("_Z"))
        return std::string(name);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : std::string(name);
}

std::vector<std::string> kernelForms(std::string_view name) {
    const std::string plain = demangled(name);
    std::vector<std::string> forms;
    CxxName parts = cxxName(plain);
    // cutlass::Kernel2<cutlass_80_simt_sgemm_...>: the argument is the name.
    if (parts.base.starts_with("Kernel") || parts.base == "device_kernel")
        if (addLibraryForms(cxxName(parts.firstArgument).base, forms))
            return forms;
    if (parts.base.empty())
        parts.base = plain;
    if (addLibraryForms(parts.base, forms))
        return forms;
    if (parts.base.starts_with("nccl") && parts.base.find('_') != std::string_view::npos) {
        addCollectiveForms(parts.base, forms);
        return forms;
    }
    add(forms, std::string(parts.base));
    constexpr std::string_view kSuffix = "_kernel";
    if (parts.base.ends_with(kSuffix))
        add(forms, std::string(parts.base.substr(0, parts.base.size() - kSuffix.size())));
    return forms;
}

// "Memcpy DtoH (Device -> Pinned)" -> "Memcpy DtoH", "DtoH"; "Memset (Device)" -> "Memset"; Nsight's
// "[CUDA memcpy Host-to-Device]" -> "memcpy Host-to-Device", "Host-to-Device".
std::vector<std::string> copyForms(std::string_view name) {
    std::vector<std::string> forms;
    constexpr std::string_view kVendor = "[CUDA ";
    if (name.starts_with(kVendor) && name.ends_with(']')) {
        name.remove_prefix(kVendor.size());
        name.remove_suffix(1);
    }
    const std::string_view head = trimmed(name.substr(0, name.find('(')));
    add(forms, std::string(head.empty() ? name : head));
    if (const std::size_t space = head.rfind(' '); space != std::string_view::npos)
        add(forms, std::string(head.substr(space + 1)));
    return forms;
}

// After "#" PyTorch puts the class: "Optimizer.step#SGD.step" -> "SGD.step". The last part of a C++ name:
// "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad" -> "AccumulateGrad".
std::vector<std::string> operatorForms(std::string_view name) {
    std::vector<std::string> forms;
    add(forms, std::string(name));
    const std::size_t hash = name.find('#'); // but not the number of "ProfilerStep#3"
    if (hash != std::string_view::npos && hash + 1 < name.size() && !isDigit(name[hash + 1]))
        add(forms, std::string(name.substr(hash + 1)));
    const std::size_t colon = name.rfind("::");
    const std::size_t space = name.rfind(": ");
    std::size_t from = colon == std::string_view::npos ? 0 : colon + 2;
    if (space != std::string_view::npos)
        from = std::max(from, space + 2);
    if (from > 0 && from < name.size())
        add(forms, std::string(name.substr(from)));
    return forms;
}

// "<built-in method item of Tensor object at 0x7f>" -> "item".
std::string builtinName(std::string_view name) {
    for (const std::string_view head : {"<built-in method ", "<built-in function "})
        if (name.starts_with(head)) {
            name.remove_prefix(head.size());
            return std::string(name.substr(0, name.find_first_of(" >")));
        }
    return {};
}

std::vector<std::string> pythonForms(std::string_view name) {
    std::vector<std::string> forms;
    if (std::string builtin = builtinName(name); !builtin.empty()) {
        add(forms, std::move(builtin));
        return forms;
    }
    constexpr std::string_view kModule = "nn.Module: ";
    const std::size_t colon = name.find("): ");
    const std::size_t open = colon == std::string_view::npos ? colon : name.rfind('(', colon);
    if (name.starts_with(kModule)) {
        add(forms, std::string(name.substr(kModule.size())));
    } else if (open != std::string_view::npos) {
        std::string_view file = name.substr(0, open);
        file.remove_prefix(std::min(file.size(), file.find_last_of("/\\") + 1)); // npos + 1 is 0
        const std::string_view line = name.substr(open + 1, colon - open - 1);
        const std::string function(name.substr(colon + 3));
        add(forms, function + "  " + std::string(file) + ":" + std::string(line));
        add(forms, function);
    }
    if (forms.empty())
        add(forms, std::string(name));
    return forms;
}

} // namespace

std::vector<std::string> shortNames(std::string_view name, EventKind kind) {
    std::vector<std::string> forms;
    switch (kind) {
    case EventKind::Kernel:
        forms = kernelForms(name);
        break;
    case EventKind::Memcpy:
    case EventKind::Memset:
        forms = copyForms(name);
        break;
    case EventKind::Python:
        forms = pythonForms(name);
        break;
    case EventKind::RuntimeApi:
    case EventKind::DriverApi:
        add(forms, std::string(stripApiVersion(name)));
        break;
    case EventKind::CpuOp:
    case EventKind::Range:
    case EventKind::GpuRange:
        forms = operatorForms(name);
        break;
    default:
        break;
    }
    if (forms.empty() && !name.empty())
        forms.emplace_back(name);
    return forms;
}

} // namespace lacuna
