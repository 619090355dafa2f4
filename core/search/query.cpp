#include "core/search/query.h"

#include "core/base/ascii.h"

#include <array>
#include <utility>

namespace lacuna {

namespace {

constexpr std::uint32_t kindBit(EventKind kind) {
    return 1U << static_cast<unsigned>(kind);
}

struct CategoryName {
    std::string_view name;
    std::uint32_t kinds;
};

// As PyTorch writes them, and words for several kinds at once. kindName() covers the rest.
constexpr std::array kCategoryNames{
    CategoryName{"cpu_op", kindBit(EventKind::CpuOp)},
    CategoryName{"op", kindBit(EventKind::CpuOp)},
    CategoryName{"cuda_runtime", kindBit(EventKind::RuntimeApi)},
    CategoryName{"cuda_driver", kindBit(EventKind::DriverApi)},
    CategoryName{"api", kindBit(EventKind::RuntimeApi) | kindBit(EventKind::DriverApi)},
    CategoryName{"gpu_memcpy", kindBit(EventKind::Memcpy)},
    CategoryName{"copy", kindBit(EventKind::Memcpy)},
    CategoryName{"gpu_memset", kindBit(EventKind::Memset)},
    CategoryName{"user_annotation", kindBit(EventKind::Range)},
    CategoryName{"nvtx", kindBit(EventKind::Range)},
    CategoryName{"gpu_user_annotation", kindBit(EventKind::GpuRange)},
    CategoryName{"python_function", kindBit(EventKind::Python)},
    CategoryName{"cuda_sync", kindBit(EventKind::Sync)},
    CategoryName{"gpu", kindBit(EventKind::Kernel) | kindBit(EventKind::Memcpy) | kindBit(EventKind::Memset) |
                            kindBit(EventKind::GraphLaunch)},
};

constexpr std::string_view kCompiled = "compiled"; // told by names, so any kind that has them

bool sameText(std::string_view a, std::string_view b) {
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (lower(a[i]) != lower(b[i]))
            return false;
    return true;
}

std::string_view withoutSpaces(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

// Length of the key at the front of a word, without its colon; 0 when there is none.
std::size_t keyLength(std::string_view word) {
    std::size_t n = 0;
    while (n < word.size() && (isLetter(word[n]) || word[n] == '_' || word[n] == '.' || word[n] == '-' ||
                               (n > 0 && isDigit(word[n]))))
        ++n;
    const bool isKey =
        n > 0 && n < word.size() && word[n] == ':' && (n + 1 == word.size() || word[n + 1] != ':');
    return isKey ? n : 0;
}

// The value in front of `rest`, which becomes what follows it. Quotes keep spaces together.
std::string takeValue(std::string_view& rest) {
    std::size_t end = 0, from = 0;
    if (!rest.empty() && rest.front() == '"') {
        from = 1;
        end = std::min(rest.find('"', 1), rest.size());
    } else {
        end = std::min(rest.find(' '), rest.size());
    }
    std::string value(rest.substr(from, end - from));
    rest.remove_prefix(std::min(rest.size(), end + (from == 1 ? 1 : 0)));
    rest = withoutSpaces(rest);
    return value;
}

// /text/ is an expression.
void readSlashes(std::string& text, PatternOptions& options) {
    if (text.size() <= 2 || text.front() != '/' || text.back() != '/')
        return;
    text = text.substr(1, text.size() - 2);
    options.isRegex = true;
}

Error incomplete(std::string_view key, std::string_view what) {
    return {Errc::Malformed, std::string(what) + " is expected after " + std::string(key) + ":.", {}, {}};
}

Status addCategories(std::string_view names, SearchQuery& query) {
    std::uint32_t kinds = 0;
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(','), names.size());
        const std::string_view name = names.substr(0, end);
        query.onlyCompiled = query.onlyCompiled || sameText(name, kCompiled);
        const std::uint32_t found = kindsOfCategory(name);
        if (found == 0 && !name.empty())
            return Error{Errc::Malformed,
                         "There is no category " + std::string(name) + ".",
                         {},
                         "Known are kernel, memcpy, memset, operator, api, range, python, sync, os_runtime, "
                         "compiled."};
        kinds |= found;
        names.remove_prefix(std::min(names.size(), end + 1));
    }
    query.kinds &= kinds;
    return ok();
}

} // namespace

std::uint32_t kindsOfCategory(std::string_view name) {
    if (sameText(name, kCompiled))
        return kEveryKind;
    for (const CategoryName& known : kCategoryNames)
        if (sameText(known.name, name))
            return known.kinds;
    for (unsigned k = 0; k < kEventKinds; ++k)
        if (sameText(kindName(static_cast<EventKind>(k)), name))
            return 1U << k;
    return 0;
}

Result<SearchQuery> parseQuery(std::string_view typed, PatternOptions options) {
    SearchQuery query;
    query.options = query.argOptions = options;
    const std::string_view whole = withoutSpaces(typed);
    std::string_view rest = whole;
    for (std::size_t length = keyLength(rest); length != 0; length = keyLength(rest)) {
        const std::string_view key = rest.substr(0, length);
        std::string_view after = rest.substr(length + 1);
        if (after.empty() || after.front() == ' ') {
            if (sameText(key, "cat") || sameText(key, "kind"))
                return incomplete(key, "A category");
            if (sameText(key, "name") || sameText(key, "range") || sameText(key, "args"))
                return incomplete(key, "A text");
            break; // "step: 3" may be a name
        }
        std::string value = takeValue(after);
        if (sameText(key, "cat") || sameText(key, "kind")) {
            if (Status known = addCategories(value, query); !known)
                return known.error();
        } else if (sameText(key, "range")) {
            query.kinds &= kindBit(EventKind::Range) | kindBit(EventKind::GpuRange);
            query.text = std::move(value);
        } else if (sameText(key, "name")) {
            query.text = std::move(value);
        } else {
            query.wantsArgs = true;
            query.argName = sameText(key, "args") ? std::string() : std::string(key);
            query.argValue = std::move(value);
            if (!query.argName.empty() && rest.size() == whole.size() && after.empty())
                query.orName = std::string(whole);
        }
        rest = after;
    }
    if (!rest.empty())
        query.text = std::string(rest);
    readSlashes(query.text, query.options);
    readSlashes(query.argValue, query.argOptions);
    return query;
}

} // namespace lacuna
