#pragma once
// Values of an option that are known by name. They are checked while the command line is parsed, and the
// manual page and the completions of shells read them back from the option.

#include <string>
#include <vector>

namespace CLI {
class Option;
} // namespace CLI

namespace lacuna::ui {

// Any other value is wrong usage.
void acceptOnly(CLI::Option& option, const std::vector<std::string>& names);
// Other values are left to the verb, which knows more about what is wrong with them.
void suggest(CLI::Option& option, const std::vector<std::string>& names);
// The names given to either; empty: none.
std::vector<std::string> choicesOf(CLI::Option& option);

} // namespace lacuna::ui
