#pragma once
#include <string>
#include <utility>
#include <vector>

namespace lacuna {

// Name and run-time version of the libraries that core uses, for --version and the About box.
std::vector<std::pair<std::string, std::string>> libraryVersions();

} // namespace lacuna
