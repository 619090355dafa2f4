#pragma once
// What holds for every trace, whatever its format and damage: the layout of strips, the sums of the report
// and of the device timeline, and the three additive tables of the gap attribution (analysis.md 4.6), in the
// default window and in random ones.

#include "core/trace/trace.h"

#include <QString>

#include <filesystem>
#include <memory>

namespace lacuna::test {

// Empty: everything holds; else what does not, with the numbers.
QString violatedInvariant(std::shared_ptr<const Trace> trace);
// Loads the file; a file that does not open must say what was found and what to do next.
QString violatedInvariant(const std::filesystem::path& file);

} // namespace lacuna::test
