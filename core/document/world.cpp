#include "core/document/world.h"

#include "core/import/trace_folder.h"
#include "core/trace/fact_of.h"

#include <charconv>
#include <string_view>

namespace lacuna {

namespace {

std::optional<std::int64_t> number(const std::string* text) {
    std::int64_t value = 0;
    if (text == nullptr)
        return std::nullopt;
    const char* const end = text->data() + text->size();
    const auto [rest, error] = std::from_chars(text->data(), end, value);
    return error == std::errc() && rest == end ? std::optional(value) : std::nullopt;
}

} // namespace

std::optional<std::int64_t> rankOf(const TraceFacts& facts) {
    if (const auto told = number(factOf(facts, "distributedInfo.rank")))
        return *told < 0 ? std::nullopt : told;
    const auto name = parseTraceFileName(facts.fileName);
    if (!name)
        return std::nullopt;
    const std::size_t digits = name->worker.find_last_not_of("0123456789") + 1; // npos + 1 is 0
    const std::string rank = name->worker.substr(digits);
    std::string_view word = std::string_view(name->worker).substr(0, digits);
    if (word.ends_with('_'))
        word.remove_suffix(1);
    // Of other names the number may be that of a process.
    return word.ends_with("rank") || word.ends_with("worker") ? number(&rank) : std::nullopt;
}

std::optional<World> worldOf(const TraceFacts& facts) {
    const auto rank = number(factOf(facts, "distributedInfo.rank"));
    const auto size = number(factOf(facts, "distributedInfo.world_size"));
    if (!rank || !size || *rank < 0 || *rank >= *size)
        return std::nullopt;
    const std::string* backend = factOf(facts, "distributedInfo.backend");
    return World{*rank, *size, backend == nullptr ? std::string() : *backend};
}

} // namespace lacuna
