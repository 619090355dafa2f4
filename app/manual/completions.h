#pragma once
// Completion scripts of shells: verbs, options, the values that have names, and files, traces first. They
// contain everything they need; no helper of the shell's own collection is called that may be missing.

#include "app/manual/command_spec.h"

#include <string>
#include <vector>

namespace lacuna::ui {

std::string bashCompletion(const std::vector<CommandSpec>& commands);
std::string zshCompletion(const std::vector<CommandSpec>& commands);
std::string fishCompletion(const std::vector<CommandSpec>& commands);

} // namespace lacuna::ui
