#pragma once
// Options that several verbs have.

#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lacuna::ui {

struct Input;

// FILE and --member NAME
void declareInput(CLI::App& options, Input& input);
// --member NAME
void declareMember(CLI::App& options, std::string& member);
// --no-cache: as the environment's LACUNA_CACHE=off.
void declareCache(CLI::App& options);
// --format with the given names; the first is the default.
void declareFormat(CLI::App& options, std::string& format, const std::vector<std::string>& names);
// A length of time that is not negative, with a unit or in ns.
void declareDuration(CLI::App& options, const std::string& name, std::int64_t& ns, const std::string& help);
// Empty when the text is a range of times A..B, else what is wrong with it.
std::string checkRange(const std::string& text);
// --range A..B
void declareRange(CLI::App& options, std::optional<TimeRange>& range);

} // namespace lacuna::ui
