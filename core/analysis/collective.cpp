#include "core/analysis/collective.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace lacuna {

namespace {

enum class CollectiveFamily : std::uint8_t { AllReduce, Shares, Other };

// Letters only, lower case: "_allgather_base" and "AllGather" are one.
std::string plainLetters(std::string_view text) {
    std::string plain;
    for (const char c : text)
        if (isLetter(c))
            plain += lower(c);
    return plain;
}

constexpr std::array<std::string_view, 7> kCollectiveWords{
    "allreduce", "allgather", "reducescatter", "alltoall", "broadcast", "sendrecv", "reduce"};

std::string_view wordIn(std::string_view name) {
    const std::string plain = plainLetters(name);
    for (const std::string_view word : kCollectiveWords)
        if (plain.find(word) != std::string::npos)
            return word;
    return {};
}

CollectiveFamily familyOf(std::string_view collective) {
    const std::string_view word = wordIn(collective);
    if (word == "allreduce")
        return CollectiveFamily::AllReduce;
    return word == "allgather" || word == "reducescatter" || word == "alltoall" ? CollectiveFamily::Shares
                                                                                : CollectiveFamily::Other;
}

std::string unquoted(std::string_view text) {
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
        text = text.substr(1, text.size() - 2);
    return std::string(text);
}

std::string fieldOf(const EventDetails& details, std::string_view name) {
    for (const auto& [field, value] : details.fields)
        if (field == name)
            return unquoted(value);
    return {};
}

std::optional<std::int64_t> numberIn(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace

std::optional<std::int64_t> bytesOfType(std::string_view dtype) {
    static constexpr std::array<std::pair<std::string_view, std::int64_t>, 16> kSizes{{{"float", 4},
                                                                                       {"double", 8},
                                                                                       {"half", 2},
                                                                                       {"bfloat16", 2},
                                                                                       {"long", 8},
                                                                                       {"int", 4},
                                                                                       {"short", 2},
                                                                                       {"char", 1},
                                                                                       {"byte", 1},
                                                                                       {"bool", 1},
                                                                                       {"float8_e4m3fn", 1},
                                                                                       {"float8_e5m2", 1},
                                                                                       {"float16", 2},
                                                                                       {"float32", 4},
                                                                                       {"int8", 1},
                                                                                       {"int64", 8}}};
    std::string name;
    for (const char c : dtype)
        name += lower(c);
    const auto at =
        std::find_if(kSizes.begin(), kSizes.end(), [&](const auto& size) { return size.first == name; });
    return at == kSizes.end() ? std::nullopt : std::optional(at->second);
}

CollectiveFacts collectiveFacts(const EventDetails& details, std::string_view kernelName) {
    CollectiveFacts facts;
    facts.name = fieldOf(details, "args.Collective name");
    if (facts.name.empty())
        facts.name = wordIn(kernelName);
    facts.groupSize = numberIn(fieldOf(details, "args.Group size"));
    const auto in = numberIn(fieldOf(details, "args.In msg nelems"));
    const auto out = numberIn(fieldOf(details, "args.Out msg nelems"));
    const auto size = bytesOfType(fieldOf(details, "args.dtype"));
    const std::int64_t elements = std::max(in.value_or(-1), out.value_or(-1));
    std::int64_t bytes = 0;
    if (size && elements >= 0 && !__builtin_mul_overflow(elements, *size, &bytes))
        facts.bytes = bytes;
    return facts;
}

std::optional<BusFactor> busFactor(std::string_view collective, std::optional<std::int64_t> groupSize) {
    const CollectiveFamily family = familyOf(collective);
    if (family == CollectiveFamily::Other)
        return BusFactor{};
    if (!groupSize || *groupSize < 1 || *groupSize > 1'000'000'000)
        return std::nullopt;
    const std::int64_t n = *groupSize;
    return BusFactor{family == CollectiveFamily::AllReduce ? 2 * (n - 1) : n - 1, n};
}

} // namespace lacuna
