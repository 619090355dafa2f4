#pragma once
// Everything that two traces answer, compared value by value.

#include "core/trace/trace.h"

#include <string>

namespace lacuna::test {

// Empty when the traces are equal in every column, index, name, fact and note; else what differs. A trace
// that came from memory has no path, which is no difference.
std::string firstDifference(const Trace& a, const Trace& b);

} // namespace lacuna::test
