#include "app/verbs/choices.h"

#include <CLI/CLI.hpp>

#include <string_view>

namespace lacuna::ui {

namespace {

// CLI11 names checks so that they can be found again; nothing of a name is ever printed.
constexpr std::string_view kMark = "choices:";
constexpr char kBetween = '\n';

std::string markOf(const std::vector<std::string>& names) {
    std::string mark(kMark);
    for (const std::string& name : names)
        mark.append(name).push_back(kBetween);
    return mark;
}

} // namespace

void acceptOnly(CLI::Option& option, const std::vector<std::string>& names) {
    // Without a description: the help text of the option tells them.
    option.check(CLI::IsMember(names).description("").name(markOf(names)));
}

void suggest(CLI::Option& option, const std::vector<std::string>& names) {
    option.check(CLI::Validator([](const std::string&) { return std::string(); }, "", markOf(names)));
}

std::vector<std::string> choicesOf(CLI::Option& option) {
    std::vector<std::string> names;
    for (int i = 0;; ++i) {
        std::string_view mark;
        try {
            mark = option.get_validator(i)->get_name();
        } catch (const CLI::OptionNotFound&) { // there is no count of them
            return names;
        }
        if (mark.substr(0, kMark.size()) != kMark)
            continue;
        for (mark.remove_prefix(kMark.size()); !mark.empty();) {
            const std::size_t end = mark.find(kBetween);
            names.emplace_back(mark.substr(0, end));
            mark.remove_prefix(end + 1);
        }
    }
}

} // namespace lacuna::ui
