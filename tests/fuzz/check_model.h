#pragma once
// What holds for every trace, fast enough to be checked on every input of a fuzzer.

#include "core/trace/trace.h"

#include <memory>
#include <string_view>

namespace lacuna::fuzz {

// Prints the text and aborts unless the condition holds.
void require(bool condition, std::string_view text);
// Layout of rows, report, joins, indexes; then the gap analysis over it. fromImporter: the report must count
// what the table holds.
void requireModel(const std::shared_ptr<const Trace>& trace, bool fromImporter);

} // namespace lacuna::fuzz
